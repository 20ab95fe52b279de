/** Events on stderr: `vyges-events/1.0` JSON lines when asked for, readable text otherwise. */

const SEVERITIES = ['trace', 'debug', 'info', 'warn', 'error'];

/** `report(severity, message, {code, file})`; `file` is `path:line`. */
export function createReporter(tool) {
  const least = Math.max(0, SEVERITIES.indexOf(process.env.VYGES_LOG ?? 'warn'));
  const asJson = process.env.VYGES_LOG_FORMAT === 'json';

  return (severity, message, { code, file } = {}) => {
    if (SEVERITIES.indexOf(severity) < least) return;
    const event = {
      schema: 'vyges-events/1.0',
      ts_ms: Date.now(),
      tool,
      severity,
      raw_msg: message,
      code, // JSON.stringify leaves out what is undefined
      file,
    };
    const text = `${severity}: ${file === undefined ? '' : `${file}: `}${message}`;
    process.stderr.write(`${asJson ? JSON.stringify(event) : text}\n`);
  };
}
