import type { GateResult } from './result.ts';

/** More stages than that are a picture of nothing. */
const MOST_STAGES = 150;
/** Mermaid draws no more, and shows an error instead. */
const MOST_ARROWS = 500;

/** The flow as a diagram: an arrow for each stage that reads what another one writes. */
export function stageGraph({ stages }: GateResult): string {
  if (stages.length < 2 || stages.length > MOST_STAGES) return '';
  // Stage names are [a-z0-9._-]; numbers as ids keep them out of the diagram's grammar.
  const ids = new Map(
    stages.map(({ assessment }, index) => [assessment.stage.name as string, `s${index}`]),
  );
  const nodes = stages.map(({ assessment: { stage, status } }) => {
    const shape = status === 'valid' || status === 'failed' ? status : 'open';
    return `  ${ids.get(stage.name)}["${stage.name}"]:::${shape}`;
  });
  const arrows = stages.flatMap(({ assessment: { stage } }) => [
    ...stage.needs.map((need) => `  ${ids.get(need)} --> ${ids.get(stage.name)}`),
    ...stage.after.map((before) => `  ${ids.get(before)} -.-> ${ids.get(stage.name)}`),
  ]);
  if (arrows.length === 0 || arrows.length > MOST_ARROWS) return '';
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
    'Green holds, red failed, yellow has no conclusion. A solid arrow leads to a stage that reads',
    'what the first one writes; a dotted one is order only.',
    '',
    '',
  ].join('\n');
}
