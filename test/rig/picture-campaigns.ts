import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { RIGHT, WRONG, writeGradedCampaign, writeGradedCorpus } from './graded-campaign.js';
import { writeMadeCampaign } from './made-campaign.js';
import { costs } from './report-campaigns.js';
import { writeCampaign } from './written-campaign.js';

/** The campaigns that the pictures in docs show. Those to be graded before they are reported are marked. */
const PICTURE_CAMPAIGNS = [
  { name: 'decided', isGraded: true },
  { name: 'undecided', isGraded: false },
  { name: 'three', isGraded: false },
  { name: 'made', isGraded: false },
];

/** Writes the campaigns and the config that grades them below `dir`. Returns their names. */
export async function writePictureCampaigns(dir: string): Promise<typeof PICTURE_CAMPAIGNS> {
  mkdirSync(dir, { recursive: true });
  const folder = writeGradedCorpus(dir);
  const half = [RIGHT[0] ?? '', WRONG[1] ?? ''];
  await writeGradedCampaign(join(dir, 'decided'), folder, {
    costUsd: costs(0.88),
    answers: (arm, _, repetition) => (arm === 'baseline' && repetition === 2 ? half : RIGHT),
  });
  writeCampaign(join(dir, 'undecided'), {
    costUsd: (arm, _, repetition) => 0.4 + (arm === 'new' ? 0.1 * repetition : 0.04 * repetition),
    ...{ runs: 2, tasks: ['one'] },
  });
  const arms = [
    { label: 'none', pin: null },
    { label: 'old', pin: '1.4.1' },
    { label: 'new', pin: '1.6.1' },
  ];
  writeCampaign(join(dir, 'three'), { costUsd: costs(0.7), arms });
  writeMadeCampaign(join(dir, 'made'), ['alpha', 'beta'], 3);
  return PICTURE_CAMPAIGNS;
}
