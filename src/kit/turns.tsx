import { SegmentedControl } from '@blueprintjs/core'
import { useMemo, type ReactNode } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { Action } from '#commands/command.ts'
import type { Text } from '#src/domain/text.ts'
import { Keys } from './show.tsx'
import { useSay } from './text.ts'
import { PaneContext, useAction, usePane, useWorkbench } from './workbench.ts'
import './turns.css'

type Props<V extends string> = {
  /** What each view is called; the first one is shown unless the address says otherwise. */
  words: Readonly<Record<V, Text>>
  /** The action that turns to each. */ actions: Readonly<Record<V, Action>>
  draw: Readonly<Record<V, () => ReactNode>>
  /** What stays in the address from view to view. */
  keep?: Readonly<Record<string, string | number>>
  aside?: ReactNode
}
const Turned = <V extends string>({ to, by, go }: { to: V; by: Action; go: (to: V) => void }) => {
  useAction(by, () => go(to))
  return null
}
/** Lists in one page, of which one is shown: each keeps a focus, a selection and columns of its own. */
export const Turns = <V extends string>({ words, actions, draw, keep, aside }: Props<V>) => {
  const say = useSay()
  const pane = usePane()
  const { keysOf } = useWorkbench()
  const asked = new URLSearchParams(useSearch()).get('view')
  const [, navigate] = useLocation()
  const keys = Object.keys(words) as V[]
  const view = keys.find(key => key === asked) ?? keys[0]!
  const go = (to: V) => {
    if (to === view) return
    const query = new URLSearchParams(
      Object.entries(keep ?? {}).map(([key, value]) => [key, String(value)]),
    )
    if (to !== keys[0]) query.set('view', to)
    navigate(`?${query}`, { replace: true })
  }
  const { memo } = pane
  const own = useMemo(
    () => ({
      get: (key: string) => memo.get(`${view}.${key}`),
      set: (key: string, value: unknown) => memo.set(`${view}.${key}`, value),
    }),
    [memo, view],
  )
  return (
    <div className="m-turns">
      {keys.map(key => (
        <Turned key={key} to={key} by={actions[key]} go={go} />
      ))}
      <div className="m-turns-bar">
        <SegmentedControl
          size="small"
          aria-label={say(['视图', 'View'])}
          value={view}
          onValueChange={value => go(value as V)}
          options={keys.map(value => ({ value, label: say(words[value]) }))}
        />
        <span className="m-muted">
          {keys.map(key => (
            <Keys key={key} keys={keysOf(actions[key].id)} />
          ))}
        </span>
        {aside}
      </div>
      <PaneContext value={{ ...pane, memo: own }}>
        <div className="m-turned" key={view}>
          {draw[view]()}
        </div>
      </PaneContext>
    </div>
  )
}
