import { SegmentedControl } from '@blueprintjs/core'
import { useMemo, type ReactNode } from 'react'
import { useLocation, useSearch } from 'wouter'
import { riskViewActions, riskViews, type RiskView } from '#commands/system/risk.ts'
import { Keys } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { PaneContext, useAction, usePane, useWorkbench } from '#src/kit/workbench.ts'
import { RiskHits } from '../parts/riskHits.tsx'
import { RiskLists } from '../parts/riskLists.tsx'
import { RiskRules } from '../parts/riskRules.tsx'
import '../parts/risk.css'

const views: Record<RiskView, () => ReactNode> = {
  hits: () => <RiskHits />,
  rules: () => <RiskRules />,
  lists: () => <RiskLists />,
}

/** Three lists in one page: each keeps a focus, a selection and columns of its own. */
export default function Risk() {
  const say = useSay()
  const pane = usePane()
  const { keysOf } = useWorkbench()
  const asked = new URLSearchParams(useSearch()).get('view')
  const [, navigate] = useLocation()
  const view: RiskView = asked === 'rules' || asked === 'lists' ? asked : 'hits'
  const go = (to: RiskView) => {
    if (to !== view) navigate(to === 'hits' ? '?' : `?view=${to}`, { replace: true })
  }
  useAction(riskViewActions.hits, () => go('hits'))
  useAction(riskViewActions.rules, () => go('rules'))
  useAction(riskViewActions.lists, () => go('lists'))
  const { memo } = pane
  const own = useMemo(
    () => ({
      get: (key: string) => memo.get(`${view}.${key}`),
      set: (key: string, value: unknown) => memo.set(`${view}.${key}`, value),
    }),
    [memo, view],
  )
  return (
    <div className="rk-page">
      <div className="rk-views">
        <SegmentedControl
          size="small"
          aria-label={say(['视图', 'View'])}
          value={view}
          onValueChange={value => go(value as RiskView)}
          options={Object.entries(riskViews).map(([value, text]) => ({ value, label: say(text) }))}
        />
        <span className="m-muted">
          {Object.values(riskViewActions).map(action => (
            <Keys key={action.id} keys={keysOf(action.id)} />
          ))}
        </span>
      </div>
      <PaneContext value={{ ...pane, memo: own }}>
        <div className="rk-view" key={view}>
          {views[view]()}
        </div>
      </PaneContext>
    </div>
  )
}
