import { BlueprintProvider } from '@blueprintjs/core'
import '@blueprintjs/core/lib/css/blueprint.css'
import { Command } from 'cmdk'
import {
  KBarAnimator,
  KBarPortal,
  KBarPositioner,
  KBarProvider,
  KBarResults,
  KBarSearch,
  useMatches,
} from 'kbar'
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { Provider } from 'react-redux'
import readings from 'virtual:palette-index'
import '#src/kit/tokens.css'
import '#src/kit/kit.css'
import '#src/shell/entry.css'
import '#src/shell/shell.css'
import { WorkbenchContext } from '#src/kit/workbench.ts'
import { Desk, DeskContext } from '#src/shell/desk.ts'
import { Palette } from '#src/shell/palette/palette.tsx'
import { makeStore } from '#src/shell/store.ts'
import { all } from './commands.ts'
import './probe.ts'

/**
 * `tuan gou shen he|tgsh`: what the peers are given to search by; our own palette makes its index
 * itself.
 */
const spoken = (title: string) => {
  const said = (readings[title] ?? '').split(' ').map(part => part.split('/')[0]!)
  return { full: said.join(''), initials: said.map(part => part[0]).join('') }
}
const useShortcut = () => {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey && event.key === 'k') {
        event.preventDefault()
        setOpen(true)
      }
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return [open, () => setOpen(false)] as const
}

/** The product's own palette on a desk of its own; only the rest of the workbench is away. */
const Mallet = () => {
  const [open, close] = useShortcut()
  const [store] = useState(makeStore)
  const desk = useMemo(
    () => new Desk(store, { id: 1, name: '', account: 'bench', can: () => true }),
    [store],
  )
  const kit = useMemo(
    () => ({
      me: desk.me,
      run: desk.run,
      open: () => {},
      toast: () => 0,
      keysOf: desk.keysOf,
      ariaKeysOf: desk.ariaKeysOf,
    }),
    [desk],
  )
  return (
    <Provider store={store}>
      <BlueprintProvider>
        <WorkbenchContext.Provider value={kit as never}>
          <DeskContext.Provider value={desk}>
            {open && <Palette start="" close={close} />}
          </DeskContext.Provider>
        </WorkbenchContext.Provider>
      </BlueprintProvider>
    </Provider>
  )
}
const KBarHits = () => {
  const { results } = useMatches()
  return (
    <KBarResults
      items={results}
      onRender={({ item, active }) => (
        <div style={{ background: active ? '#eee' : 'none', padding: 6 }}>
          {typeof item === 'string' ? (
            item
          ) : (
            <>
              <span>{item.name}</span> <small>{item.subtitle}</small>
            </>
          )}
        </div>
      )}
    />
  )
}
const KBar = () => {
  const actions = useMemo(
    () =>
      all.map(command => {
        const { full, initials } = spoken(command.title)
        return {
          id: command.kind === 'page' ? command.path : command.id,
          name: command.title,
          subtitle: command.en,
          keywords: `${full} ${initials} ${command.en}`,
          perform: () => {},
        }
      }),
    [],
  )
  return (
    <KBarProvider actions={actions}>
      <KBarPortal>
        <KBarPositioner>
          <KBarAnimator style={{ width: 640, background: '#fff' }}>
            <KBarSearch />
            <KBarHits />
          </KBarAnimator>
        </KBarPositioner>
      </KBarPortal>
    </KBarProvider>
  )
}
const Cmdk = () => {
  const [open, close] = useShortcut()
  const items = useMemo(
    () =>
      all.map(command => ({
        id: command.kind === 'page' ? command.path : command.id,
        command,
        ...spoken(command.title),
      })),
    [],
  )
  if (!open) return null
  return (
    <div
      role="dialog"
      style={{ position: 'fixed', inset: '10% 20%', background: '#fff' }}
      onKeyDown={event => {
        if (event.key === 'Escape') close()
      }}
    >
      <Command label="cmdk">
        <Command.Input autoFocus />
        <Command.List style={{ height: 400, overflow: 'auto' }}>
          {items.map(({ id, command, full, initials }) => (
            <Command.Item
              key={id}
              value={id}
              keywords={[command.title, full, initials, command.en]}
            >
              <span>{command.title}</span> <small>{command.en}</small>
            </Command.Item>
          ))}
        </Command.List>
      </Command>
    </div>
  )
}
const subjects: Record<string, () => ReactNode> = { mallet: Mallet, kbar: KBar, cmdk: Cmdk }
const Subject = subjects[new URLSearchParams(location.search).get('of') ?? 'mallet']!
createRoot(document.getElementById('root')!).render(<Subject />)
