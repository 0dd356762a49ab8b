import { afterEach, expect, it, vi } from 'vitest'
import { eachRow } from '#src/server/call/batch.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'

afterEach(() => {
  vi.restoreAllMocks()
})
/** A batch whose rows each take so long. */
const batch = (
  ms: number,
  ids: readonly number[],
  run: (id: number) => Promise<unknown> = async () => {},
) => {
  let at = 0
  vi.spyOn(performance, 'now').mockImplementation(() => at)
  const tx = { transaction: <T>(row: (tx: unknown) => Promise<T>) => row(tx) }
  const context = { tx, staff: { lang: 'zh' }, log: () => {} } as unknown as WriteContext
  return eachRow(context, ids, async (_, id) => {
    at += ms
    await run(id)
  })
}
it('tells what there was no time for, and keeps what was done: a batch is never all or nothing', async () => {
  const said = await batch(1200, [3, 1, 2, 5, 4])
  expect([said.ok, said.failed.map(one => [one.id, one.code])]).toEqual([
    [1, 2, 3],
    [
      [4, 'no_time'],
      [5, 'no_time'],
    ],
  ])
  expect(said.failed[0]!.msg).toContain('再执行一次')
})
it('deals with one row at least, and with all of them where there is time', async () => {
  expect(await batch(9000, [7, 8])).toMatchObject({ ok: [7], failed: [{ id: 8 }] })
  const said = await batch(10, [1, 2, 2, 3], async id => {
    if (id === 2) throw ruled('used', ['已使用', 'Used'])
  })
  expect(said).toEqual({ ok: [1, 3], failed: [{ id: 2, code: 'used', msg: '已使用' }] })
})
