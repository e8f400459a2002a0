import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** A stream of random numbers that is the same for the same seed. */
export interface Random {
  /** 0 ≤ x < 1. */
  unit(): number;
  /** A whole number, 0 ≤ x < `below`. */
  below(below: number): number;
  /** Standard normal. */
  normal(): number;
}

/** The stream of this seed and name: each use has a name of its own, so that adding one metric moves no other's figures. */
export function randomFrom(seed: number, name = ''): Random {
  let mixed = seed | 0;
  for (const character of name) mixed = (Math.imul(mixed, 31) + (character.codePointAt(0) ?? 0)) | 0;
  const generator = xoroshiro128plus(mixed);
  // Its first numbers after neighbouring seeds resemble each other.
  for (let skipped = 0; skipped < 32; skipped++) generator.next();
  const unit = () => uniformFloat64(generator);
  return {
    unit,
    below: (below) => uniformInt(generator, 0, below - 1),
    // Box and Muller; 1 − u, since the logarithm of 0 is none.
    normal: () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit()),
  };
}
