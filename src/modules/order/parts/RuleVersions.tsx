import { useEffect, useRef, type KeyboardEvent } from 'react'
import type { ConfigScope } from '#src/areas/order/configScope.ts'
import type { RuleChange } from '#src/areas/order/orderRuleWords.ts'
import { useRead } from '#src/kit/data.ts'
import { Badge, When } from '#src/kit/show.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import type { ConfigVersion, RulesCalls } from '../contract/config.ts'
import { rowAfter } from './rowKeys.ts'
import { RuleChanges } from './RuleChanges.tsx'

const Version = ({ of, isChosen }: { of: ConfigVersion; isChosen: boolean }) => {
  const say = useSay()
  return (
    <div role="gridcell">
      <header>
        <b className="m-num">V{of.version_no}</b>
        {of.state === 'current' && <Badge tone="good">{say(['当前', 'Now'])}</Badge>}
        <span className="m-muted">
          {of.by || say(['系统', 'System'])} · <When at={of.effective_at} />
        </span>
      </header>
      <p>{of.reason}</p>
      {isChosen && (
        <>
          <RuleChanges
            of={of.changes as readonly RuleChange[]}
            none={say(['与上一版本相同', 'As the version before'])}
          />
          {of.state === 'old' && of.back.length > 0 && (
            <div className="oc-back">
              <span className="m-muted">
                {say(['回滚到此版本将改变', 'Going back to it changes'])}
              </span>
              <RuleChanges of={of.back as readonly RuleChange[]} none="" />
            </div>
          )}
        </>
      )}
    </div>
  )
}
/** How the rules came to be: the versions, and what each one changed. */
export const RuleVersions = ({
  calls,
  kind,
  chosen,
  choose,
}: {
  calls: RulesCalls
  kind: ConfigScope
  chosen: number | undefined
  choose: (version: ConfigVersion) => void
}) => {
  const say = useSay()
  const { data, error, refetch } = useRead(calls.history, { kind, pageSize: 50 })
  const list = data?.list[0]?.kind === kind ? data.list : undefined
  const box = useRef<HTMLDivElement>(null)
  const there = list !== undefined
  // Whoever asked for the history waits at its panel for it.
  useEffect(() => {
    if (there && document.activeElement === box.current?.closest('aside')) box.current?.focus()
  }, [there])
  if (error && !data) return <Failed error={error} retry={refetch} />
  if (!data) return <Loading lines={8} />
  if (!list) return <Empty title={say(['还没有保存过规则', 'No version yet'])} />
  const at = list.findIndex(one => one.version_no === chosen)
  const onKeyDown = (event: KeyboardEvent) => {
    const reached = rowAfter(event.key, at, list.length)
    if (reached === undefined) return
    // Above the first version is the first one.
    const to = Math.max(0, reached)
    if (!list[to]) return
    event.preventDefault()
    event.stopPropagation()
    choose(list[to])
    box.current?.children[to]?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <div
      className="oc-versions"
      role="grid"
      tabIndex={0}
      ref={box}
      aria-label={say(['规则版本', 'Versions'])}
      aria-activedescendant={at < 0 ? undefined : `oc-v-${kind}-${chosen}`}
      onKeyDown={onKeyDown}
      data-side-focus
    >
      {list.map(one => (
        <div
          key={one.version_no}
          id={`oc-v-${kind}-${one.version_no}`}
          role="row"
          aria-selected={one.version_no === chosen}
          onClick={() => choose(one)}
        >
          <Version of={one} isChosen={one.version_no === chosen} />
        </div>
      ))}
    </div>
  )
}
