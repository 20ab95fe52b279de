import type { GateResult } from './result.ts';

const SHAPE = { valid: 'valid', failed: 'failed' } as const;
/** A graph with more stages says nothing to anybody. */
const MOST_STAGES = 150;

/** The flow as a diagram: an arrow for each stage that reads what another one writes. */
export function stageGraph({ stages }: GateResult): string {
  if (stages.length < 2 || stages.length > MOST_STAGES) return '';
  // Stage names are [a-z0-9._-]; numbers as ids keep them out of the diagram's grammar.
  const ids = new Map(
    stages.map(({ assessment }, index) => [assessment.stage.name as string, `s${index}`]),
  );
  const nodes = stages.map(({ assessment: { stage, status } }) => {
    const shape = status === 'valid' || status === 'failed' ? SHAPE[status] : 'open';
    return `  ${ids.get(stage.name)}["${stage.name}"]:::${shape}`;
  });
  const arrows = stages.flatMap(({ assessment: { stage } }) => [
    ...stage.needs.map((need) => `  ${ids.get(need)} --> ${ids.get(stage.name)}`),
    ...stage.after.map((before) => `  ${ids.get(before)} -.-> ${ids.get(stage.name)}`),
  ]);
  return [
    '```mermaid',
    'flowchart LR',
    ...nodes,
    ...arrows,
    '  classDef valid fill:#dafbe1,stroke:#1a7f37,color:#1f2328',
    '  classDef failed fill:#ffebe9,stroke:#cf222e,color:#1f2328',
    '  classDef open fill:#fff8c5,stroke:#9a6700,color:#1f2328',
    '```',
    '',
    '',
  ].join('\n');
}
