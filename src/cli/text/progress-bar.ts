import { Presets, SingleBar } from 'cli-progress';
import type { Progress } from '../../ops/context.ts';

/** Bars that are drawn anew at most this often, per second. */
const FRAMES_PER_SECOND = 10;

/** A progress bar on stderr. `total` is the number of steps; without one only the steps done are shown. */
export function progressBar(label: string, total: number | undefined): Progress {
  const format =
    total === undefined ? `${label} {value}` : `${label} {bar} {percentage}% {value}/{total} {duration_formatted}`;
  const bar = new SingleBar(
    { format, stream: process.stderr, fps: FRAMES_PER_SECOND, clearOnComplete: true, hideCursor: true },
    Presets.shades_classic,
  );
  bar.start(total ?? 0, 0);
  return {
    advance: (steps = 1) => bar.increment(steps),
    stop: () => bar.stop(),
  };
}
