import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { useDispatch } from 'react-redux'
import { useLocation, useSearch } from 'wouter'
import type { Action, Page } from '#commands/command.ts'
import type { RulesNow } from '#commands/order/settings.ts'
import { configScopes, type ConfigScope } from '#src/areas/order/configScope.ts'
import { rulesDiff } from '#src/areas/order/orderRuleWords.ts'
import type { Text } from '#src/domain/text.ts'
import { useTrail } from '#src/kit/changed.tsx'
import { dispatchRead, useRead, type CallError } from '#src/kit/data.ts'
import { useForm, useUnsaved } from '#src/kit/form.tsx'
import type { Refused } from '#src/kit/refused.ts'
import { Badge } from '#src/kit/show.tsx'
import { Failed, Loading } from '#src/kit/states.tsx'
import { Tabs } from '#src/kit/tabs.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { usePane, useStageSubject, useWorkbench } from '#src/kit/workbench.ts'
import type { ConfigRow, RulesCalls } from '../contract/config.ts'
import { asksFor, rulesFrom, type Answers } from './ruleAsks.ts'
import { RuleDesk, type DeskProps, type RulesActions } from './RuleDesk.tsx'
import './config.css'

type KindProps = Pick<DeskProps, 'calls' | 'actions' | 'row' | 'active' | 'extra'> & {
  page: Page
  rows: readonly ConfigRow[]
  limit: number
  tell: (kind: ConfigScope, dirty: boolean) => void
}
/** The form of one kind; it stays while another is shown, with what was changed in it. */
const KindForm = ({
  calls,
  actions,
  page,
  row,
  rows: all,
  limit,
  active,
  tell,
  extra,
}: KindProps) => {
  const say = useSay()
  const { run, toast } = useWorkbench()
  const { id: pane } = usePane()
  const dispatch = useDispatch()
  // The newest reading: what the person did not touch follows it.
  const rows = useMemo(() => [row], [row])
  const asks = useMemo(() => asksFor(row.kind, row.fields, limit), [row, limit])
  const submit = async (
    answers: Answers,
    [began]: readonly ConfigRow[],
  ): Promise<true | Refused> => {
    if (!began) return {}
    const next = rulesFrom(began.kind, began.fields, answers)
    const changes = rulesDiff(began.kind, began.fields, next)
    if (changes.length === 0) {
      toast(say(['没有改动', 'Nothing was changed']), 'none')
      return {}
    }
    const fields = Object.fromEntries(changes.map(one => [one.field, next[one.field]]))
    if (
      !(await run(actions.save, [], {
        pane,
        on: {
          id: began.id,
          kind: began.kind,
          version_no: began.version_no,
          fields,
          name: say(['{kind}：{n} 项改动', '{kind}: {n} changes'], {
            kind: say(configScopes[began.kind]),
            n: changes.length,
          }),
        } satisfies RulesNow,
        asked: { refund: changes.some(one => one.refund) },
      }))
    )
      return {}
    await dispatchRead(dispatch as never, calls.lst, {}, true).catch(() => {})
    form.reset()
    return true
  }
  const form = useForm({
    asks,
    rows,
    draft: `${page.path}:${row.kind}`,
    submit,
    trail: useTrail(page, rows),
  })
  const { dirty } = form
  useUnsaved(form)
  useEffect(() => tell(row.kind, dirty), [tell, row.kind, dirty])
  if (!form.answers) return active ? <Loading lines={16} /> : null
  const next = rulesFrom(row.kind, row.fields, form.answers)
  return (
    <div className="oc-kind" hidden={!active}>
      <RuleDesk
        calls={calls}
        actions={actions}
        form={form}
        row={row}
        next={next}
        all={all}
        active={active}
        extra={extra}
      />
    </div>
  )
}

/**
 * Rules of some kinds of order: one form a kind, what is about to change beside it, whom it
 * concerns, and how it came to be.
 */
export const RulesPage = ({
  calls,
  actions,
  page,
  kinds,
  extra,
  more,
}: {
  calls: RulesCalls
  actions: RulesActions & Readonly<Record<string, Action>>
  page: Page
  kinds: readonly ConfigScope[]
  extra?: (row: ConfigRow, active: boolean) => ReactNode
  /** A tab beside the kinds. */ more?: {
    key: string
    title: Text
    actions: readonly Action[]
    body: ReactNode
  }
}) => {
  const say = useSay()
  const [, navigate] = useLocation()
  const asked = new URLSearchParams(useSearch()).get('kind')
  const besides = more !== undefined && asked === more.key
  const kind = kinds.find(one => one === asked) ?? kinds[0]!
  const tabs: readonly string[] = more ? [...kinds, more.key] : kinds
  const shown = besides ? more.key : kind
  const subject = useStageSubject(usePane().stage)
  const { data, error, refetch } = useRead(calls.lst, {})
  const [opened, setOpened] = useState<readonly ConfigScope[]>([kind])
  const [dirty, setDirty] = useState<Readonly<Record<string, boolean>>>({})
  const tell = useMemo(
    () => (of: ConfigScope, is: boolean) =>
      setDirty(known => (known[of] === is ? known : { ...known, [of]: is })),
    [],
  )
  if (!opened.includes(kind)) setOpened([...opened, kind])
  if (error && !data) return <Failed error={error as CallError} retry={refetch} />
  if (!data) return <Loading lines={16} />
  return (
    <div className="oc-page">
      <Tabs
        label={say(['订单类型', 'Kinds of order'])}
        at={shown}
        go={to => navigate(`?kind=${to}`, { replace: true })}
        all={tabs.map(key => ({
          key,
          title: (
            <>
              {say(key === more?.key ? more.title : configScopes[key as ConfigScope])}
              {dirty[key] && <Badge tone="info">{say(['未保存', 'Not saved'])}</Badge>}
            </>
          ),
        }))}
      />
      <Toolbar actions={besides ? more.actions : Object.values(actions)} rows={subject.rows} />
      {besides && more.body}
      {data.list
        .filter(one => opened.includes(one.kind))
        .map(one => (
          <KindForm
            key={one.kind}
            calls={calls}
            actions={actions}
            page={page}
            row={one}
            rows={data.list}
            limit={data.refund_limit_cents}
            active={!besides && one.kind === kind}
            tell={tell}
            extra={extra}
          />
        ))}
    </div>
  )
}
