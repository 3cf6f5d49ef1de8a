import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { tempFolder, type TempFolder } from './temp-folder.ts';

const ROOT = path.dirname(path.dirname(import.meta.dirname));
/** The built program: what users run. */
export const PROGRAM = path.join(ROOT, 'dist/memtool.cjs');

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout parsed as a single line of JSON. Throws if it is not. */
  readonly json: Record<string, unknown>;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Piped to stdin; without it stdin is /dev/null. */
  readonly input?: string | Uint8Array;
}

/** Runs any command with a pinned environment and collects what it prints. */
export function runCommand(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? '',
        TZ: 'UTC',
        NO_COLOR: '1',
        ...options.env,
      },
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.stdin?.on('error', () => {}); // the program may exit before it has read everything
    child.stdin?.end(options.input);
    child.on('error', reject);
    child.on('close', (code) => {
      const out = Buffer.concat(stdout).toString('utf8');
      resolve({
        code,
        stdout: out,
        stderr: Buffer.concat(stderr).toString('utf8'),
        get json(): Record<string, unknown> {
          if (out.indexOf('\n') !== out.length - 1) throw new Error(`not one line: ${out.slice(0, 500)}`);
          return JSON.parse(out);
        },
      });
    });
  });
}

/** Runs the built program. */
export function memtool(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return runCommand(process.execPath, [PROGRAM, ...args], options);
}

/** Waits until another process has opened a file. Throws if none does so in 20 seconds. */
export async function openedByAnother(file: string): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (
      fs.globSync('/proc/[0-9]*/fd/*').some((link) => !link.startsWith(`/proc/${process.pid}/`) && leadsTo(link, file))
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no process opens ${file}`);
}

function leadsTo(link: string, file: string): boolean {
  try {
    return fs.readlinkSync(link) === file;
  } catch {
    return false; // the process has ended or has closed it
  }
}

/** Runs a shell script in which `memtool` is the built program, in `cwd`. */
export function shell(script: string, options: RunOptions = {}): Promise<Ran> {
  return runCommand('bash', ['-c', `memtool() { "${process.execPath}" "${PROGRAM}" "$@"; }\n${script}`], options);
}

export interface Workspace extends TempFolder {
  /** Runs the program in the folder, on its memtool.db. */
  run(...args: string[]): Promise<Ran>;
  pipe(input: string | Uint8Array, ...args: string[]): Promise<Ran>;
}

/** A fresh folder with an empty database. */
export async function workspace(): Promise<Workspace> {
  const folder = tempFolder();
  const db = folder.file('memtool.db');
  const made: Workspace = {
    ...folder,
    run: (...args) => memtool(['--db', db, ...args], { cwd: folder.path }),
    pipe: (input, ...args) => memtool(['--db', db, ...args], { cwd: folder.path, input }),
  };
  const { code, stdout } = await made.run('init');
  if (code !== 0) throw new Error(stdout);
  return made;
}

/** Runs the program on a workspace's database with `--format text`. */
export function text(folder: Workspace, ...args: string[]): Promise<Ran> {
  return folder.run('--format', 'text', ...args);
}

/** The same, laid out for lines of `columns`. */
export function textIn(columns: number | string, folder: Workspace, ...args: string[]): Promise<Ran> {
  return memtool(textArguments(folder, args), { env: { COLUMNS: String(columns) } });
}

/** The same on a terminal with lines of `columns`. */
export function textOnTerminal(columns: number, folder: Workspace, ...args: string[]): Promise<Ran> {
  const command = [process.execPath, PROGRAM, ...textArguments(folder, args)].map((word) => `'${word}'`).join(' ');
  return runCommand('script', ['-qec', `stty cols ${columns}; ${command}`, '/dev/null'], {
    env: { TERM: 'xterm', NO_COLOR: '' },
  });
}

function textArguments(folder: Workspace, args: readonly string[]): string[] {
  return ['--db', folder.file('memtool.db'), '--format', 'text', ...args];
}
