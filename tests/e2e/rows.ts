import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { TestInfo } from '@playwright/test'

export type Owners = 'merchant' | 'distributor'
type Wanted = { owner_kind: Owners; channel: 'bank' | 'wechat_transfer'; fails?: boolean }
/** What a script writes into the database of the server whose pages a journey opens; its answer. */
export const rowsBy = async <T>(
  { project }: TestInfo,
  script: string,
  asked: object,
): Promise<T> => {
  const folder = resolve(process.env.TEST_DATA ?? 'test-results', `data-${project.name}`)
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--import',
    './src/source.mjs',
    `tests/e2e/${script}`,
    `${folder}/database.run`,
    JSON.stringify(asked),
  ])
  return JSON.parse(stdout) as T
}
/**
 * Withdrawals of people of the journey's own, where no page offers to ask for money; answers their
 * numbers. They are written by the server's own functions, which a process of its own can load.
 */
export const withdrawalsOf = (info: TestInfo, wanted: readonly Wanted[]): Promise<string[]> =>
  rowsBy(info, 'rows.server.ts', wanted)
