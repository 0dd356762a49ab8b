import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Chosen } from '#src/kit/inspector.tsx'

afterEach(cleanup)
type Row = { id: number; name: string }
const beside = (of: { focusedRow?: Row; loaded: boolean; error?: unknown }) =>
  render(
    <Chosen of={{ focusedRow: undefined, ...of }} none="选择一家门店">
      {({ name }) => <p>{name}</p>}
    </Chosen>,
  ).container

test('beside a list stands the row in focus, and until one is chosen what there is to choose', () => {
  expect(beside({ loaded: true, focusedRow: { id: 1, name: '一号店' } }).textContent).toBe('一号店')
  expect(beside({ loaded: true }).textContent).toBe('选择一家门店')
})
test('beside a list that could not be loaded nothing seems to be on its way', () => {
  const waits = beside({ loaded: false })
  expect(waits.textContent).toBe('')
  const loadingLines = waits.innerHTML
  const failed = beside({ loaded: false, error: { status: 500, message: '加载失败' } })
  expect(failed.textContent).toBe('列表加载后在此显示详情')
  expect(failed.innerHTML).not.toContain(loadingLines)
})
test('a row that was chosen stays when its list fails to come anew', () => {
  const kept = beside({ loaded: true, focusedRow: { id: 1, name: '一号店' }, error: {} })
  expect(kept.textContent).toBe('一号店')
})
