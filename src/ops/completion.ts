import { defineOperation, Lines } from './operation.ts';

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

export const completion = defineOperation({
  name: 'completion',
  summary: 'Print the completion script for a shell.',
  prints: 'the script.',
  examples: [
    { command: 'source <(memtool completion bash)', note: 'bash, in ~/.bashrc; for zsh the same in ~/.zshrc' },
    { command: 'memtool completion fish > ~/.config/fish/completions/memtool.fish', note: 'fish' },
  ],
  access: 'none',
  params: { shell: { kind: 'choice', choices: SHELLS, positional: true, required: true, description: 'The shell.' } },
  async run({ operations }, input) {
    const { completionScript } = await import('./completion-scripts.ts');
    return new Lines([completionScript(input.shell, operations)]);
  },
});
