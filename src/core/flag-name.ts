/** The flag of a parameter: `task_id` → `task-id`. */
export function flagName(name: string): string {
  return name.replaceAll('_', '-');
}
