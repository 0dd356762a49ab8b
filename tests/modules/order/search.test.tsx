import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { ListState } from '#src/kit/uselist.ts'
import { OrderKeyword, useUnread } from '#src/modules/order/parts/search.tsx'

afterEach(cleanup)
const Screen = ({ q }: { q: string }) => {
  const list = { input: { q }, filter: () => {} } as unknown as ListState<unknown, { q: string }>
  return (
    <>
      <OrderKeyword of={list} placeholder="单号" />
      {useUnread(list) ?? <p>没有符合条件的记录</p>}
    </>
  )
}
const said = (q: string) => {
  render(<Screen q={q} />)
  return screen.queryAllByRole('status').map(one => one.textContent)
}

test('what can’t be read is the reason why nothing is found', () =>
  expect(said('🔥')).toEqual([expect.stringContaining('搜索的内容无法识别')]))
test('in a pasted list what can’t be read is named', () =>
  expect(said('13800001111，***')).toEqual(['未识别 1 项：“***”']))
test('what is read has no word said about it', () =>
  expect([said('- 13800001111'), said('')]).toEqual([[], []]))
