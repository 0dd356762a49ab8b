import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { Provider } from 'react-redux'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { connect } from '#src/kit/data.ts'
import { lookUp, sessionEnded, signInAgain, signOut } from '#src/shell/session/session.ts'
import { SignIn } from '#src/shell/session/sign-in.tsx'
import { makeStore, type Store } from '#src/shell/store.ts'
import { chooseTheme, region, themeOf, token } from '#src/shell/stored.ts'

vi.mock('#src/shell/session/work.ts', () => ({
  workOn: async ({ captcha_id }: { captcha_id: string }) => `work of ${captcha_id}`,
}))

describe('rubbish in local storage', () => {
  beforeEach(() => localStorage.clear())
  test.each([
    ['token', 'a b\n'],
    ['token', '令牌'],
    ['region', 'p r o;'],
    ['theme:x', '{}'],
    ['mallet.lang', 'xx'],
  ])('%s = %j does no harm', (key, value) => {
    localStorage.setItem(key, value)
    expect([token(), region(), themeOf('x')]).toEqual([null, 'pro', 'light'])
  })
  test('the theme is kept by user name', () => {
    chooseTheme('auditor', 'dark')
    expect([themeOf('auditor'), themeOf('admin')]).toEqual(['dark', 'light'])
    expect(document.documentElement.classList.contains('bp6-dark')).toBe(true)
    chooseTheme('auditor', 'light')
  })
})

type Answer = { status: number; message?: string; data?: unknown }
const me = (id: number, account: string) => ({
  id,
  name: account,
  account,
  avatar: null,
  must_change: false,
  roles: [],
  permits: [],
  scope: { cities: 'all', malls: 'all', own: true },
  fields: {},
  settings: { pinned_paths: [], card_order: [] },
  expires_at: 2e9,
  demo: true,
})
let answers: Record<string, Answer | ((body: any) => Answer)>
let sent: { path: string; body: any; headers: Record<string, string> }[]
beforeEach(() => {
  localStorage.clear()
  sent = []
  answers = {
    'session/welcome': {
      status: 200,
      data: {
        demo: { password: 'Mallet#2026', accounts: [{ account: 'auditor', title: '审核员' }] },
      },
    },
  }
  connect({ token, region, ended: () => {}, failed: () => {} })
  vi.stubGlobal(
    'fetch',
    vi.fn(async (url: string, init: RequestInit) => {
      const path = url.replace('/api/manageback/', '').split('?')[0]!
      const body = init.body ? JSON.parse(init.body as string) : undefined
      sent.push({ path, body, headers: init.headers as Record<string, string> })
      const answer = answers[path] ?? { status: 404, message: `no answer for ${path}` }
      const given = typeof answer === 'function' ? answer(body) : answer
      return new Response(JSON.stringify({ msg: '', message: '', data: null, ...given }))
    }),
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('signing in', () => {
  let store: Store
  const open = async () => {
    store = makeStore()
    render(
      <Provider store={store}>
        <SignIn />
      </Provider>,
    )
    await screen.findByText('auditor')
  }
  const type = (name: string, value: string) =>
    fireEvent.change(document.querySelector(`[name=${name}]`)!, { target: { value } })
  const submit = () =>
    act(async () => {
      fireEvent.submit(document.querySelector('form')!)
    })
  const logins = () => sent.filter(({ path }) => path === 'login')
  const note = (name: string) => document.getElementById(`${name}-note`)!.textContent

  test('empty and impossible passwords are refused before the call, in words, at the field', async () => {
    await open()
    await submit()
    expect([note('account'), note('password')]).toEqual(['请输入账号', '请输入密码'])
    type('account', 'auditor')
    for (const wrong of ['abc12', 'a'.repeat(17), '密码密码密码']) {
      type('password', wrong)
      await submit()
      expect(note('password')).toContain('6–16')
    }
    expect(logins()).toEqual([])
  })
  test('thirteen to sixteen signs are accepted', async () => {
    answers.login = { status: 422, message: '账号或密码错误' }
    await open()
    type('account', 'auditor')
    for (const fine of ['a'.repeat(13), 'Ab1!'.repeat(4), 'abcdef']) {
      type('password', fine)
      await submit()
    }
    expect(logins()).toHaveLength(3)
    expect(logins()[0]!.headers.region).toBe('pro')
  })
  test('a refusal keeps the account, says how many tries are left, and does the work it is told to', async () => {
    answers.login = {
      status: 422,
      message: '账号或密码错误，还可以尝试 2 次',
      data: { tries_left: 2, captcha_required: true },
    }
    await open()
    type('account', 'auditor')
    type('password', 'Wrong#1')
    await submit()
    expect(document.querySelector('.s-fault')!.textContent).toBe('账号或密码错误，还可以尝试 2 次')
    expect(document.querySelector<HTMLInputElement>('[name=account]')!.value).toBe('auditor')
    answers.getCaptcha = { status: 200, data: { captcha_id: 'c1', bits: 3 } }
    type('password', 'Wrong#1')
    await submit()
    await waitFor(() =>
      expect(logins().at(-1)!.body).toMatchObject({ captcha: 'work of c1', captcha_id: 'c1' }),
    )
  })
  test('after a reload the server asks for the work, and the same press goes on', async () => {
    answers.login = {
      status: 400,
      message: '登录验证已失效，请再试一次',
      data: { rule: 'captcha', tries_left: 2, captcha_required: true },
    }
    answers.getCaptcha = { status: 200, data: { captcha_id: 'c2', bits: 3 } }
    await open()
    type('account', 'auditor')
    type('password', 'Right#1')
    await submit()
    await waitFor(() => expect(logins().at(-1)!.body).toMatchObject({ captcha: 'work of c2' }))
    expect(logins()).toHaveLength(2)
  })
  test('one press is one call', async () => {
    let free!: () => void
    await open()
    vi.stubGlobal(
      'fetch',
      vi.fn(
        () =>
          new Promise(go => {
            free = () => go(new Response('{"status":422,"message":"no"}'))
          }),
      ),
    )
    type('account', 'auditor')
    type('password', 'Mallet#2026')
    await submit()
    await submit()
    await submit()
    expect(fetch).toHaveBeenCalledOnce()
    await act(async () => free())
  })
  test('signed in: the token is kept, the account remembered', async () => {
    answers.login = {
      status: 200,
      data: { token: 'tok_12345678', expires_at: 2e9, must_change: false },
    }
    answers['session/me'] = { status: 200, data: me(2, 'auditor') }
    await open()
    type('account', ' auditor ')
    type('password', 'Mallet#2026')
    await submit()
    await waitFor(() => expect(store.getState().session.phase).toBe('in'))
    expect([localStorage.getItem('token'), localStorage.getItem('mallet.account')]).toEqual([
      'tok_12345678',
      'auditor',
    ])
    expect(sent.find(({ path }) => path === 'session/me')!.headers['Authori-zation']).toBe(
      'Bearer tok_12345678',
    )
  })
  test('an initial password must be changed first', async () => {
    answers.login = {
      status: 200,
      data: { token: 'tok_12345678', expires_at: 2e9, must_change: true },
    }
    answers['session/changeInitialPassword'] = { status: 200, data: {} }
    answers['session/me'] = { status: 200, data: me(2, 'auditor') }
    await open()
    type('account', 'auditor')
    type('password', 'Initial1')
    await submit()
    expect(localStorage.getItem('token')).toBeNull()
    const set = (name: string, value: string) => {
      document.querySelector<HTMLInputElement>(`[name=${name}]`)!.value = value
    }
    set('fresh', 'Initial1')
    set('again', 'Initial1')
    await submit()
    expect(note('fresh')).toContain('不能与旧密码相同')
    set('fresh', 'Better#1')
    set('again', 'Better#2')
    await submit()
    expect(note('again')).toBe('两次输入不一致')
    set('again', 'Better#1')
    await submit()
    await waitFor(() => expect(store.getState().session.phase).toBe('in'))
    expect(sent.find(({ path }) => path === 'session/changeInitialPassword')!.body).toEqual({
      old_password: 'Initial1',
      new_password: 'Better#1',
    })
  })
  test('demo accounts fill by key, and only where the server names them', async () => {
    await open()
    fireEvent.keyDown(document.querySelector('main')!, { code: 'Digit1', key: '1', altKey: true })
    expect(document.querySelector<HTMLInputElement>('[name=password]')!.value).toBe('Mallet#2026')
    cleanup()
    answers['session/welcome'] = { status: 200, data: { demo: null } }
    render(
      <Provider store={makeStore()}>
        <SignIn />
      </Provider>,
    )
    await waitFor(() =>
      expect(sent.filter(({ path }) => path === 'session/welcome')).toHaveLength(2),
    )
    expect(screen.queryByText('演示账号')).toBeNull()
  })
})

describe('a session that is over', () => {
  const signedIn = async (id = 2, account = 'auditor') => {
    localStorage.setItem('token', 'tok_12345678')
    answers['session/me'] = { status: 200, data: me(id, account) }
    const store = makeStore()
    await store.dispatch(lookUp())
    return store
  }
  test('is asked about once, however many calls fail', async () => {
    const store = await signedIn()
    for (const message of ['a', 'b', 'c']) store.dispatch(sessionEnded({ status: 410002, message }))
    expect(store.getState().session.ended).toEqual({ message: 'a', asked: true })
  })
  test('the same person comes back to what was open; another one gets it drawn anew', async () => {
    const store = await signedIn()
    store.dispatch(sessionEnded({ status: 410002, message: '' }))
    await store.dispatch(signInAgain())
    expect([store.getState().session.phase, store.getState().session.me?.id, token()]).toEqual([
      'out',
      2,
      null,
    ])
    localStorage.setItem('token', 'tok_87654321')
    await store.dispatch(lookUp())
    expect([
      store.getState().session.phase,
      store.getState().session.person,
      store.getState().session.ended,
    ]).toEqual(['in', 0, null])
    answers['session/me'] = { status: 200, data: me(3, 'supervisor') }
    await store.dispatch(lookUp())
    expect([store.getState().session.person, localStorage.getItem('mallet.owner')]).toEqual([
      1,
      '3',
    ])
  })
  test('a lost connection at the start is no reason to sign anyone out', async () => {
    localStorage.setItem('token', 'tok_12345678')
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => {
        throw new TypeError('down')
      }),
    )
    const store = makeStore()
    await store.dispatch(lookUp())
    expect([store.getState().session.phase, store.getState().session.fault?.lost, token()]).toEqual(
      ['starting', true, 'tok_12345678'],
    )
  })
  test('signing out forgets the token even when the server can’t be told', async () => {
    const store = await signedIn()
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => {
        throw new TypeError('down')
      }),
    )
    await store.dispatch(signOut())
    expect([store.getState().session.phase, store.getState().session.me, token()]).toEqual([
      'out',
      null,
      null,
    ])
  })
})
