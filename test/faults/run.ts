/** The fault tests: kills, contention, broken files, random input. `npm run test:faults` takes a minute or two,
 * `-- --long` a quarter of an hour; `-- --seed N` repeats a run. Prints what was done, and exits with 1 and the reason
 * if anything was lost, broken or falsely acknowledged. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { corruption } from './corruption.ts';
import { fuzz } from './fuzz.ts';
import { kills, migrationKills } from './kills.ts';
import { Random } from './program.ts';
import { storage } from './storage.ts';
import { firstStarts, races, writers } from './writers.ts';

const isLong = process.argv.includes('--long');
const seedAt = process.argv.indexOf('--seed');
const seed = seedAt < 0 ? Math.floor(Math.random() * 2 ** 31) : Number(process.argv[seedAt + 1]);
const amounts = isLong
  ? {
      kills: 1000,
      migrations: 100,
      processes: 16,
      seconds: 30,
      starts: 200,
      rounds: 40,
      files: 300,
      programs: 20_000,
      parsed: 100_000,
    }
  : {
      kills: 120,
      migrations: 10,
      processes: 8,
      seconds: 5,
      starts: 3,
      rounds: 5,
      files: 12,
      programs: 250,
      parsed: 20_000,
    };

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memtool-faults-'));
console.log(`seed ${seed}`);

/** Runs one kind of test and prints what it counted. */
async function part(name: string, work: () => Promise<object | void>): Promise<void> {
  const startedAt = performance.now();
  const counts = (await work()) ?? {};
  const told = Object.entries(counts).map(([what, count]) => `${what} ${String(count)}`);
  console.log(`ok ${name}: ${[...told, `${((performance.now() - startedAt) / 1000).toFixed(0)} s`].join(', ')}`);
}

try {
  const random = new Random(seed);
  await part('kills', () => kills(folder, random, amounts.kills));
  await part('migrations', () => migrationKills(folder, random, amounts.migrations));
  await part('writers', () => writers(folder, random, amounts.processes, amounts.seconds));
  await part('first starts', () => firstStarts(folder, amounts.starts));
  await part('races', () => races(folder, amounts.rounds));
  await part('storage', () => storage(folder, isLong));
  await part('broken files', () => corruption(folder, random, amounts.files));
  await part('random input', () => fuzz(folder, random, amounts.programs, amounts.parsed));
} catch (error) {
  console.log(`FAILED (seed ${seed}): ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
