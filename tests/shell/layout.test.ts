import { expect, test } from 'vitest'
import { Desk } from '#src/shell/desk.ts'
import { mirrorAddress } from '#src/shell/panes/layout.ts'
import { workspace } from '#src/shell/panes/workspace.ts'
import { makeStore } from '#src/shell/store.ts'

test('the browser’s Back is followed though the page remembers something before the pane hears of it', () => {
  const store = makeStore()
  const desk = new Desk(store, { id: 2, name: '周晓敏', account: 'auditor', can: () => true })
  store.dispatch(workspace.restored({ tree: 'p1', focused: 'p1', maximised: null, byId: { p1: { at: '/manage/audit/bulks', back: [], forward: [], kept: {}, memo: {}, moves: 0 } } } as never))
  const stop = mirrorAddress(store, desk)
  for (const at of ['/manage/audit/card', '/manage/audit/voucher']) desk.go('p1', at)
  expect([location.pathname, history.state]).toEqual(['/manage/audit/voucher', { n: 2 }])
  history.replaceState({ n: 1 }, '', '/manage/audit/card')
  store.dispatch(workspace.remembered({ pane: 'p1', page: '/manage/audit/voucher', key: 'scroll', value: 40 }))
  expect(location.pathname).toBe('/manage/audit/card')
  dispatchEvent(new PopStateEvent('popstate'))
  expect([desk.pane('p1')!.at, location.pathname]).toEqual(['/manage/audit/card', '/manage/audit/card'])
  stop()
})
