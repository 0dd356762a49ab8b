import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { Provider } from 'react-redux'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as shell from '#commands/shell.ts'
import { connect } from '#src/kit/data.ts'
import { Desk, DeskContext } from '#src/shell/desk.ts'
import { PasswordDialog } from '#src/shell/person/password-dialog.tsx'
import { PersonMenu } from '#src/shell/person/person-menu.tsx'
import { makeStore, type Store } from '#src/shell/store.ts'
import { toast } from '#src/shell/toasts.tsx'

vi.mock('#src/shell/toasts.tsx', () => ({ toast: vi.fn(), Toasts: () => null }))
let store: Store
let desk: Desk
let answer: { status: number; message?: string; data?: unknown }
let sent: object[]
beforeEach(() => {
  sent = []
  answer = { status: 200, data: {} }
  connect({
    token: () => 't',
    region: () => 'pro',
    ended: () => {},
    failed: error => void toast(error.message, 'danger'),
  })
  vi.mocked(toast).mockClear()
  vi.stubGlobal(
    'fetch',
    vi.fn(async (_: string, { body }: RequestInit) => {
      sent.push(JSON.parse(body as string) as object)
      return new Response(JSON.stringify({ message: '', data: null, ...answer }))
    }),
  )
  store = makeStore()
  desk = new Desk(store, { id: 1, name: '林岚', account: 'linlan', can: () => true })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
const stand = (part: React.ReactNode) =>
  render(
    <Provider store={store}>
      <DeskContext.Provider value={desk}>{part}</DeskContext.Provider>
    </Provider>,
  )

describe('the person’s menu', () => {
  const entries = () =>
    [...document.querySelectorAll('[role^=menuitem]')].map(entry => entry.textContent)
  const focused = () => document.activeElement?.textContent ?? ''
  const press = (key: string) => fireEvent.keyDown(document.activeElement!, { key })
  test('opens by its command, on its first entry, and says what each entry is', async () => {
    stand(<PersonMenu />)
    act(() => desk.perform({ action: shell.personMenu, rows: [] }))
    const menu = await screen.findByRole('menu', { name: '林岚 的菜单' })
    expect(menu).toBeTruthy()
    expect(focused()).toContain('个人资料')
    expect(screen.getByRole('menuitemradio', { name: /浅色主题/, checked: true })).toBeTruthy()
    expect(screen.getByRole('menuitemcheckbox', { name: '高对比度', checked: false })).toBeTruthy()
    expect(entries().at(-1)).toContain('退出登录')
  })
  test('arrows go round, Home and End to its ends, a letter to what begins with it', async () => {
    stand(<PersonMenu />)
    act(() => desk.perform({ action: shell.personMenu, rows: [] }))
    await screen.findByRole('menu')
    press('ArrowUp')
    expect(focused()).toContain('退出登录')
    press('ArrowDown')
    expect(focused()).toContain('个人资料')
    press('End')
    expect(focused()).toContain('退出登录')
    press('Home')
    press('修')
    expect(focused()).toContain('修改密码')
  })
  test('an entry does what its command does, when the menu is gone', async () => {
    const does = vi.fn()
    desk.global(shell.profile.id, does)
    stand(<PersonMenu />)
    act(() => desk.perform({ action: shell.personMenu, rows: [] }))
    fireEvent.click(await screen.findByRole('menuitem', { name: /个人资料/ }))
    await vi.waitFor(() => expect(does).toHaveBeenCalledOnce())
  })
})

describe('another password', () => {
  const close = vi.fn()
  const type = (name: string, value: string) =>
    fireEvent.change(document.querySelector(`[name=${name}]`)!, { target: { value } })
  const submit = () => act(async () => void fireEvent.submit(document.querySelector('form')!))
  const faults = () => screen.queryAllByRole('alert').map(one => one.textContent)
  beforeEach(() => {
    close.mockClear()
    stand(<PasswordDialog close={close} />)
  })
  test('is checked before the server is asked, and the first fault has the focus', async () => {
    await submit()
    expect(faults()).toEqual(['请输入原密码', '请输入新密码'])
    expect(document.activeElement?.getAttribute('name')).toBe('old')
    type('old', 'Mallet#2026')
    type('fresh', 'LINLAN')
    type('again', 'linlan')
    await submit()
    expect(faults()).toEqual(['不能与账号相同', '两次输入不一致'])
    expect(document.activeElement?.getAttribute('name')).toBe('fresh')
    expect(sent).toEqual([])
  })
  test('what the server refuses stands at its field and as a toast; nothing of it is kept', async () => {
    answer = {
      status: 400,
      message: '原密码不正确',
      data: { rule: 'wrong_password', fields: { old_password: '原密码不正确' } },
    }
    type('old', 'Wrong#2026')
    type('fresh', 'Fresh#2026')
    type('again', 'Fresh#2026')
    await submit()
    expect(sent).toEqual([{ old_password: 'Wrong#2026', new_password: 'Fresh#2026' }])
    expect(faults()).toEqual(['原密码不正确'])
    expect(document.activeElement?.getAttribute('name')).toBe('old')
    expect(vi.mocked(toast).mock.calls).toEqual([['原密码不正确', 'danger']])
    expect(close).not.toHaveBeenCalled()
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('#2026')
  })
  test('done, it says so and closes', async () => {
    type('old', 'Mallet#2026')
    type('fresh', 'Fresh#2026')
    type('again', 'Fresh#2026')
    await submit()
    expect(close).toHaveBeenCalledOnce()
    expect(vi.mocked(toast).mock.calls[0]).toEqual([
      expect.stringContaining('密码已修改'),
      'success',
    ])
  })
})
