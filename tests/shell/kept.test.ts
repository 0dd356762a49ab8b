// It is @drawn: settings are kept in the browser’s storage.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Desk } from '#src/shell/desk.ts'
import { keeping } from '#src/shell/panes/kept.ts'
import { workspace } from '#src/shell/panes/workspace.ts'
import { closeSettings, openSettings } from '#src/shell/settings.ts'
import { makeStore, type Store } from '#src/shell/store.ts'

/** Pages that are kept alive when they are left. */
const pages = ['bulks', 'voucher', 'card', 'goods', 'elist', 'rollBuy', 'combo'].map(
  kind => `/manage/order/${kind}`,
)
let store: Store
let desk: Desk
beforeEach(() => {
  localStorage.clear()
  openSettings(2)
  keeping.set({ most: 4, resume: true })
  store = makeStore()
  desk = new Desk(store, { id: 2, name: '苏晚晴', account: 'service', can: () => true })
})
afterEach(closeSettings)
/** Goes to one page after another, as a pane tells of it when it is drawn. */
const visit = (pane: string, ...paths: string[]) => {
  for (const path of paths) {
    desk.open(path, 'here', pane)
    desk.kept.show(pane, path, true)
  }
}

describe('pages kept alive', () => {
  test('are as many as the setting says, of all panes together; the one longest unseen is frozen', () => {
    visit('p1', ...pages.slice(0, 4))
    store.dispatch(workspace.opened({ at: pages[4]!, how: 'right' }))
    desk.kept.show('p2', pages[4]!, true)
    visit('p2', pages[5]!)
    expect([desk.kept.of('p1'), desk.kept.of('p2'), desk.kept.unseen]).toEqual([
      pages.slice(0, 4),
      pages.slice(4, 6),
      4,
    ])
    visit('p2', pages[6]!)
    expect([desk.kept.of('p1'), desk.kept.unseen]).toEqual([pages.slice(1, 4), 4])
    // Frozen, but not forgotten: where it was left is known.
    expect(Object.keys(desk.pane('p1')!.kept)).toContain(pages[0])
    visit('p1', pages[0]!)
    expect(desk.kept.of('p1')).toContain(pages[0])
  })
  test('with something half written are never frozen', () => {
    visit('p1', pages[0]!)
    desk.stage('p1', pages[0]).hold({ dirty: () => true, discard: () => {} })
    visit('p1', ...pages.slice(1))
    expect([
      desk.kept.of('p1').includes(pages[0]!),
      desk.kept.of('p1').includes(pages[1]!),
      desk.kept.unseen,
    ]).toEqual([true, false, 4])
  })
  test('are fewer at once when the setting says so', () => {
    keeping.set({ most: 12, resume: true })
    visit('p1', ...pages)
    expect(desk.kept.unseen).toBe(6)
    keeping.set({ most: 4, resume: true })
    desk.kept.fit()
    expect(desk.kept.of('p1')).toEqual(pages.slice(2))
  })
  test('of a pane behind a tab count too: frozen it says so, looked at it is there', () => {
    visit('p1', pages[0]!)
    desk.kept.show('p1', pages[0]!, false)
    expect(desk.kept.isFrozen('p1')).toBe(false)
    store.dispatch(workspace.opened({ at: pages[1]!, how: 'tab' }))
    desk.kept.show('p2', pages[1]!, true)
    visit('p2', ...pages.slice(2, 6))
    expect(desk.kept.isFrozen('p1')).toBe(true)
    desk.kept.show('p1', pages[0]!, true)
    expect([desk.kept.isFrozen('p1'), desk.kept.of('p1')]).toEqual([false, [pages[0]]])
  })
  test('are let go of with all they remember', () => {
    visit('p1', pages[0]!)
    store.dispatch(workspace.remembered({ pane: 'p1', page: pages[0]!, key: 'scroll', value: 99 }))
    visit('p1', pages[1]!)
    desk.free('p1', pages[0]!)
    expect([
      desk.kept.of('p1'),
      desk.pane('p1')!.kept[pages[0]!],
      desk.pane('p1')!.memo[pages[0]!],
    ]).toEqual([[pages[1]], undefined, undefined])
    desk.kept.drop('p1')
    expect(desk.kept.unseen).toBe(0)
  })
})
