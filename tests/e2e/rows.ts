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
 * numbers.
 */
export const withdrawalsOf = (info: TestInfo, wanted: readonly Wanted[]): Promise<string[]> =>
  rowsBy(info, 'rows.server.ts', wanted)

/** A merchant of the journey's own whose application is whole but for the picture of its licence. */
export const draftMerchant = (info: TestInfo): Promise<{ name: string; category: string }> =>
  rowsBy(info, 'shopRows.server.ts', { what: 'draft' })
/** A merchant of the journey's own that trades: an open store, and a group-buy on sale there. */
export const tradingMerchant = (
  info: TestInfo,
): Promise<{ name: string; store: string; store_id: number }> =>
  rowsBy(info, 'shopRows.server.ts', { what: 'trading' })
/** A BD of the journey's own who has left, with such a store. */
export const leftBd = (info: TestInfo): Promise<{ name: string; store: string }> =>
  rowsBy(info, 'shopRows.server.ts', { what: 'left' })
/** What a merchant's app alone sends: a group-buy for its open store, to be audited. */
export const offerOf = (info: TestInfo, merchant: string): Promise<{ title: string }> =>
  rowsBy(info, 'shopRows.server.ts', { what: 'offer', merchant })
/** A facility of the journey's own that stands last, marked at such a store. */
export const markedFacility = (info: TestInfo): Promise<{ name: string; store: string }> =>
  rowsBy(info, 'shopRows.server.ts', { what: 'facility' })
