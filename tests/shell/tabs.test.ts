// It is @drawn: settings are kept in the browser’s storage.
import { beforeEach, describe, expect, test } from 'vitest'
import { PANES_MAX } from '#src/areas/workbench/layout.ts'
import { Desk } from '#src/shell/desk.ts'
import { othersOf, tabsWith } from '#src/shell/panes/tabs.ts'
import { revive, workspace } from '#src/shell/panes/workspace.ts'
import { makeStore, type Store } from '#src/shell/store.ts'

const [bulks, card, voucher] = [
  '/manage/audit/bulks',
  '/manage/audit/card',
  '/manage/audit/voucher',
] as const
let store: Store
let desk: Desk
beforeEach(() => {
  localStorage.clear()
  store = makeStore()
  desk = new Desk(store, { id: 2, name: '周晓敏', account: 'auditor', can: () => true })
})
const tabs = () => {
  const now = store.getState().workspace
  return tabsWith(now, now.focused!).map(id => now.byId[id]!.at)
}
const front = () => desk.pane()!.at
const id = (at: string) =>
  Object.entries(store.getState().workspace.byId).find(([, pane]) => pane.at === at)![0]

describe('a page chosen by its name', () => {
  beforeEach(() => {
    for (const page of [bulks, card, voucher]) desk.visit(page)
  })
  test('takes the place of the home, then each has a tab', () => {
    expect([tabs(), front()]).toEqual([[bulks, card, voucher], voucher])
  })
  test('that has a tab is shown there, as it was left', () => {
    desk.go(id(bulks), `${bulks}?state=pending`)
    desk.visit(bulks)
    expect([tabs().length, front()]).toEqual([3, `${bulks}?state=pending`])
  })
  test('with filters of its own is shown with these', () => {
    desk.visit(`${bulks}?state=passed`)
    expect([tabs().length, front()]).toEqual([3, `${bulks}?state=passed`])
  })
  test('opens behind the tab in front', () => {
    desk.visit(bulks)
    desk.visit('/manage/audit/product')
    expect(tabs()).toEqual([bulks, '/manage/audit/product', card, voucher])
  })
  test('is shown in the pane where panes stand side by side, or one fills the place', () => {
    store.dispatch(workspace.opened({ at: voucher, how: 'right' }))
    desk.visit(card)
    expect([tabs(), front()]).toEqual([[card], card])
    store.dispatch(workspace.maximised(desk.workspace.focused))
    desk.visit(bulks)
    expect(tabs()).toEqual([bulks])
  })
  test('is shown in the pane when there are as many as a layout holds', () => {
    for (let n = 3; n < PANES_MAX; n++)
      store.dispatch(workspace.opened({ at: `/manage/system/city?n=${n}`, how: 'tab' }))
    desk.visit('/manage/audit/product')
    expect([tabs().length, front()]).toEqual([PANES_MAX, '/manage/audit/product'])
  })
})

describe('tabs', () => {
  beforeEach(() => {
    for (const page of [bulks, card, voucher]) desk.visit(page)
  })
  test('pinned, stand first, are spared, and come back pinned', () => {
    store.dispatch(workspace.tabPinned({ pane: id(voucher), on: true }))
    expect(tabs()).toEqual([voucher, bulks, card])
    expect(othersOf(desk.workspace, id(card))).toEqual([id(bulks)])
    expect(othersOf(desk.workspace, id(bulks), 'right')).toEqual([id(card)])
    const again = revive(JSON.parse(JSON.stringify(store.getState().workspace)))!
    expect(again.byId[id(voucher)]!.pinned).toBe(true)
    store.dispatch(workspace.tabPinned({ pane: id(voucher), on: false }))
    expect(tabs()).toEqual([voucher, bulks, card])
  })
  test('are moved among their own kind, and back by undo in one step', () => {
    store.dispatch(workspace.tabPinned({ pane: id(bulks), on: true }))
    for (const to of [1, 0]) store.dispatch(workspace.tabPlaced({ pane: id(voucher), to }))
    expect(tabs()).toEqual([bulks, voucher, card])
    expect(front()).toBe(voucher)
    store.dispatch(workspace.undone())
    expect(tabs()).toEqual([bulks, card, voucher])
  })
  test('closed, leave the one behind them in front, else the one before', () => {
    desk.visit(card)
    desk.close()
    expect(front()).toBe(voucher)
    desk.close()
    expect(front()).toBe(bulks)
  })
  test('closed together come back together', () => {
    desk.closeTabs(othersOf(desk.workspace, id(card)))
    expect(tabs()).toEqual([card])
    store.dispatch(workspace.undone())
    expect(tabs()).toEqual([bulks, card, voucher])
  })
})
