import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { TestInfo } from '@playwright/test'

export type Owners = 'merchant' | 'distributor'
type Wanted = { owner_kind: Owners; channel: 'bank' | 'wechat_transfer'; fails?: boolean }
/**
 * Withdrawals of people of the journey's own, where no page offers to ask for money; answers their
 * numbers. They are written by the server's own functions, which a process of its own can load.
 */
export const withdrawalsOf = async (
  { project }: TestInfo,
  wanted: readonly Wanted[],
): Promise<string[]> => {
  const folder = resolve(process.env.TEST_DATA ?? 'test-results', `data-${project.name}`)
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--import',
    './src/source.mjs',
    'tests/e2e/rows.server.ts',
    `${folder}/database.run`,
    JSON.stringify(wanted),
  ])
  return JSON.parse(stdout) as string[]
}
