import type { EngineProfile } from '../model/engine.js';
import type { Session } from '../model/session.js';
import { globToPattern } from '../util/glob.js';
import { clip, oneLine } from './clean.js';
import { grouped, percent1, plural } from './numbers.js';

/**
 * How every explore response divided its characters among files; files that match one of the `answer` globs are marked,
 * and their share is the hand-made counterpart of allocation efficiency.
 */
export function envelopeBlock(
  session: Session,
  answer: string[],
  engine: Pick<EngineProfile, 'label' | 'isExploreTool'>,
): string[] {
  const patterns = answer.map(globToPattern);
  const calls = session.threads
    .flatMap((thread) => thread.calls)
    .filter((call) => engine.isExploreTool(call.name))
    .sort((a, b) => a.order - b.order);
  const lines: string[] = [];
  for (const [index, call] of calls.entries()) {
    const sections = call.result?.response?.sections ?? [];
    const envelope = sections.reduce((total, section) => total + section.chars, 0);
    lines.push(
      `    call ${index + 1}: "${clip(call.input.query ?? '', 45)}" ${grouped(envelope)} chars, ${plural(sections.length, 'section')}`,
    );
    let marked = 0;
    for (const section of [...sections].sort((a, b) => b.chars - a.chars)) {
      const isAnswer = patterns.some((pattern) => pattern.test(section.path));
      if (isAnswer) marked += section.chars;
      const columns = `${percent1(section.chars / envelope).padStart(6)} ${String(section.chars).padStart(6)}`;
      lines.push(`      ${isAnswer ? '*' : ' '} ${columns}  ${oneLine(section.path)}`);
    }
    if (patterns.length > 0 && envelope > 0) {
      lines.push(`      answer files: ${percent1(marked / envelope)}  ${grouped(marked)}/${grouped(envelope)} chars`);
    }
  }
  if (lines.length === 0) return [`  Explore envelope: no ${engine.label}_explore calls`];
  return ['  Explore envelope — how each response divided its bytes:', ...lines];
}
