import { OverlaysProvider } from '@blueprintjs/core'
import { configureStore } from '@reduxjs/toolkit'
import { useCallback, useMemo, useState, type ReactNode } from 'react'
import { Provider } from 'react-redux'
import { Router } from 'wouter'
import { api, middleware } from '#src/kit/data.ts'
import type { Setting } from '#src/kit/memory.ts'
import { Stage } from '#src/kit/stage.ts'
import { PaneContext, WorkbenchContext, type Pane, type Workbench } from '#src/kit/workbench.ts'
import { here, keyed } from './actions.ts'

const makeStore = () =>
  configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    middleware: standard =>
      standard({ serializableCheck: false, immutableCheck: false }).concat(middleware),
  })

const nothing = () => undefined
const keyOf = (id: string) => keyed.find(one => one.id === id)?.key?.toUpperCase()
const settings = new Map<string, unknown>()
const settingOf = <T,>(name: string, initial: T): Setting<T> => {
  const found = settings.get(name)
  if (found) return found as Setting<T>
  let value = initial
  const tells = new Set<() => void>()
  const made: Setting<T> = {
    get: () => value,
    set: next => {
      value = typeof next === 'function' ? (next as (before: T) => T)(value) : next
      for (const tell of tells) tell()
    },
    subscribe: tell => (tells.add(tell), () => void tells.delete(tell)),
  }
  settings.set(name, made)
  return made
}
/** What the kit asks of the shell, where there is none: it may do all but what is denied. */
const workbenchOf = (say: (words: string) => void): Workbench => ({
  me: { id: 1, name: '周', account: 'gallery', can: permit => permit !== 'gallery.denied' },
  run: async action => {
    say(action.title)
    return true
  },
  open: address => say(address),
  toast: message => say(message),
  show: action => say(action.title),
  keysOf: keyOf,
  ariaKeysOf: keyOf,
  pageAt: () => here,
  historyFrom: nothing,
  setting: (name, _, initial) => settingOf(name, initial),
  settle: async () => undefined,
  askExport: ({ action }) => say(action.title),
  useGrantedBy: permit => (permit === undefined ? '' : '可请 周（管理员）开通'),
  recent: () => [],
})

/** A pane of its own for one state, with its address and what it remembers. */
export const Stand = ({ search, children }: { search: string; children: ReactNode }) => {
  const [asked, setAsked] = useState(search)
  const [said, say] = useState('')
  const [pane] = useState<Pane>(() => {
    const kept = new Map<string, unknown>()
    return {
      id: 'gallery',
      stage: new Stage(),
      visible: true,
      memo: { get: key => kept.get(key), set: (key, value) => void kept.set(key, value) },
    }
  })
  const workbench = useMemo(() => workbenchOf(say), [])
  const go = useCallback((to: string) => (to.startsWith('?') ? setAsked(to.slice(1)) : say(to)), [])
  const hook = useCallback((): [string, typeof go] => [here.path, go], [go])
  const searchHook = useCallback(() => asked, [asked])
  return (
    <WorkbenchContext value={workbench}>
      <PaneContext value={pane}>
        <Router hook={hook} searchHook={searchHook}>
          {children}
        </Router>
        <output className="g-said">{said}</output>
      </PaneContext>
    </WorkbenchContext>
  )
}
/** What holds for all of them: the answers of calls, and the order of layers. */
export const Store = ({ children }: { children: ReactNode }) => {
  const [store] = useState(makeStore)
  return (
    <Provider store={store}>
      <OverlaysProvider>{children}</OverlaysProvider>
    </Provider>
  )
}
