import { Presets, SingleBar } from 'cli-progress';
import type { Progress } from '../../ops/context.ts';

/** Maximum number of redraws of a bar, per second. */
const FRAMES_PER_SECOND = 10;

/** A progress bar on stderr. `total` is the number of steps; without it, only the number of completed steps is
 * shown. */
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
