import { ArrowRight } from '@blueprintjs/icons'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useDispatch } from 'react-redux'
import { useLocation, useSearch } from 'wouter'
import { ask, type Action, type Ask, type Asks, type Page } from '#commands/command.ts'
import type { rulesActions, RulesNow } from '#commands/order/settings.ts'
import { configScopes, type ConfigScope } from '#src/areas/order/configScope.ts'
import { ruleFault, rulesFaults } from '#src/areas/order/orderRuleFaults.ts'
import { ruleFields, type RuleField } from '#src/areas/order/orderRuleFields.ts'
import {
  copiedRules,
  rulesFor,
  sectionsOf,
  type OrderRules,
  type RuleEffect,
  type RuleName,
} from '#src/areas/order/orderRules.ts'
import { rulesDiff, type RuleChange } from '#src/areas/order/orderRuleWords.ts'
import { bpOf, percent, yuan } from '#src/domain/money.ts'
import { colon, type Text } from '#src/domain/text.ts'
import { useTrail } from '#src/kit/changed.tsx'
import { dispatchRead, skipToken, useRead, type CallError } from '#src/kit/data.ts'
import { goToQuestion } from '#src/kit/faults.ts'
import { FormField, FormNotes, useForm, useUnsaved, type FormState } from '#src/kit/form.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import type { Refused } from '#src/kit/refused.ts'
import { Badge, Section, When } from '#src/kit/show.tsx'
import { Split } from '#src/kit/split.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { Tabs } from '#src/kit/tabs.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import {
  useAction,
  useAnswered,
  usePane,
  useStageSubject,
  useSubject,
  useWorkbench,
} from '#src/kit/workbench.ts'
import type { ConfigRow, ConfigVersion, rulesCalls } from '../contract/config.ts'
import './config.css'

type Calls = ReturnType<typeof rulesCalls>
type Actions = ReturnType<typeof rulesActions>
type Answers = Readonly<Record<string, unknown>>
/**
 * Rules that the form itself asks for; where nothing is delivered and who sends have questions of
 * their own.
 */
const isAsked = (name: RuleName) => !['areas', 'senders'].includes(ruleFields[name].kind)

/** The rules that the answers of a form say, over those it began from. */
const rulesFrom = (kind: ConfigScope, base: OrderRules, answers: Answers): OrderRules => ({
  ...base,
  ...Object.fromEntries(
    rulesFor(kind)
      .filter(isAsked)
      .map(name => {
        const [field, value]: [RuleField, unknown] = [ruleFields[name], answers[name]]
        return [
          name,
          field.kind === 'percent'
            ? bpOf(value as number)
            : field.kind === 'days'
              ? ((value as string[] | undefined) ?? []).map(Number).sort((a, b) => b - a)
              : (value ?? null),
        ]
      }),
  ),
})
const days = [30, 15, 10, 7, 5, 3, 2, 1]
/** The bounds of a rate, which is asked in percent. */
const inPercent = ({ min, max }: { min: number; max: number }) => ({
  min: min / 100,
  max: max / 100,
  places: 2 as const,
})
const range = (field: RuleField & { min: number; max: number }): Text =>
  field.kind === 'money'
    ? [`${yuan(field.min)}–${yuan(field.max)} 元`, `¥${yuan(field.min)}–${yuan(field.max)}`]
    : field.kind === 'percent'
      ? [
          `${percent(field.min)}–${percent(field.max)}`,
          `${percent(field.min)}–${percent(field.max)}`,
        ]
      : [`${field.min}–${field.max}`, `${field.min}–${field.max}`]
const joined = (a: Text, b: Text | undefined): Text =>
  b ? [`${a[0]}。${b[0]}`, `${a[1]}. ${b[1]}`] : a
const withUnit = (title: Text, unit: Text): Text => [
  `${title[0]}（${unit[0]}）`,
  `${title[1]} (${unit[1]})`,
]

/**
 * The questions of a kind's form, from the table of rules; what holds between rules is checked as
 * the server checks it.
 */
const asksFor = (kind: ConfigScope, was: OrderRules, refund_limit_cents: number): Asks =>
  Object.fromEntries(
    rulesFor(kind)
      .filter(isAsked)
      .map((name): [string, Ask] => {
        const field: RuleField = ruleFields[name]
        const initial =
          <T,>(of: (value: never) => T) =>
          (rows: readonly ConfigRow[]): T | undefined => {
            const value = rows[0]?.fields[name]
            return value === null || value === undefined ? undefined : of(value as never)
          }
        const check = (_: unknown, answers: Answers): Text | undefined => {
          const rules = rulesFrom(kind, was, answers)
          return (
            ruleFault(name, rules[name]) ??
            rulesFaults(kind, rules, { refund_limit_cents, was })[name]
          )
        }
        const of = { label: field.title, check, ...(field.hint && { hint: field.hint }) }
        switch (field.kind) {
          case 'number':
            return [
              name,
              ask.number({
                ...of,
                label: withUnit(field.title, field.unit),
                hint: joined(range(field), field.hint),
                min: field.min,
                max: field.max,
                optional: field.none !== undefined,
                initial: initial((n: number) => n),
              }),
            ]
          case 'money':
            return [
              name,
              ask.money({
                ...of,
                hint: joined(range(field), field.hint),
                min: field.min,
                max: field.max,
                initial: initial((n: number) => n),
              }),
            ]
          case 'percent':
            return [
              name,
              ask.number({
                ...of,
                label: withUnit(field.title, ['%', '%']),
                hint: joined(range(field), field.hint),
                ...inPercent(field),
                initial: initial((n: number) => n / 100),
              }),
            ]
          case 'flag':
            return [name, ask.flag({ label: field.title, initial: initial((on: boolean) => on) })]
          case 'days':
            return [
              name,
              ask.choices({
                ...of,
                optional: true,
                options: Object.fromEntries(
                  [...new Set([...days, ...was.remind_days])]
                    .sort((a, b) => b - a)
                    .map(day => [`${day}`, [`${day} 天`, `${day} d`]]),
                ),
                initial: initial((all: number[]) => all.map(String)),
              }),
            ]
          default:
            return [
              name,
              ask.choice({
                ...of,
                options: (field as RuleField & { kind: 'choice' }).options,
                initial: initial((value: string) => value),
              }),
            ]
        }
      }),
  )

/** What changes, in business words. */
const Changes = ({
  of,
  none,
}: {
  of: readonly Pick<RuleChange, 'title' | 'before' | 'after' | 'refund'>[]
  none: string
}) => {
  const say = useSay()
  if (of.length === 0) return <p className="m-muted oc-none">{none}</p>
  return (
    <ul className="oc-changes">
      {of.map(one => (
        <li key={one.title[0]}>
          <b>{say(one.title)}</b>
          {one.refund && <Badge tone="warn">{say(['退款规则', 'Refunds'])}</Badge>}
          <span>
            <del>{say(one.before)}</del>
            <ArrowRight size={12} aria-label={say(['改为', 'becomes'])} />
            <ins>{say(one.after)}</ins>
          </span>
        </li>
      ))}
    </ul>
  )
}

const Counted = ({ of: { n, cents } }: { of: RuleEffect['before'] }) => {
  const say = useSay()
  return (
    <span className="m-num">
      {say(['{n} 笔', '{n}'], { n: n.toLocaleString() })}
      {cents !== undefined && (
        <>
          <br />¥{yuan(cents)}
        </>
      )}
    </span>
  )
}
const Simulated = ({
  calls,
  kind,
  fields,
  now,
  simulate,
}: {
  /** Tries the rules anew. */
  simulate: Action
  calls: Calls
  kind: ConfigScope
  fields: Partial<OrderRules> | undefined
  now: Partial<OrderRules>
}) => {
  const say = useSay()
  const { data, error, isFetching, refetch } = useRead(
    calls.simulate,
    fields ? { kind, fields } : skipToken,
  )
  if (!fields)
    return (
      <Empty title={say(['还没有试算', 'Not tried yet'])}>
        <p>
          <Keyed
            text={[
              '修改规则后按 {try}，看近 30 天会影响多少订单。',
              'Change a rule and press {try}: how many of the last 30 days’ orders would differ.',
            ]}
            by={{ try: simulate }}
          />
        </p>
      </Empty>
    )
  if (error && !isFetching) return <Failed error={error} retry={refetch} />
  if (!data) return <Loading lines={6} />
  const old = JSON.stringify(fields) !== JSON.stringify(now)
  return (
    <div aria-busy={isFetching} aria-live="polite">
      {old && (
        <p className="oc-note" data-tone="warn">
          <Keyed
            text={['规则又有改动，按 {try} 重新试算', 'The rules changed again: {try} tries anew']}
            by={{ try: simulate }}
          />
        </p>
      )}
      <Section
        title={say(['近 30 天 {n} 笔订单', '{n} orders within 30 days'], {
          n: data.orders.toLocaleString(),
        })}
      >
        {data.effects.length === 0 ? (
          <p className="m-muted oc-none">
            {say(['这些改动没有可从历史推算的影响', 'History tells nothing about these changes'])}
          </p>
        ) : (
          <table className="oc-effects">
            <thead>
              <tr>
                <th scope="col">{say(['受影响的', 'What would differ'])}</th>
                <th scope="col">{say(['现规则', 'Now'])}</th>
                <th scope="col">{say(['新规则', 'New'])}</th>
              </tr>
            </thead>
            <tbody>
              {data.effects.map(one => (
                <tr key={one.field + one.what[0]}>
                  <th scope="row">{say(one.what)}</th>
                  <td>
                    <Counted of={one.before} />
                  </td>
                  <td>
                    <b>
                      <Counted of={one.after} />
                    </b>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Section>
      <p className="oc-note">
        {say(
          [
            '进行中的 {n} 笔订单沿用各自创建时的规则，不受影响。',
            'The {n} orders under way keep the rules they were made under.',
          ],
          { n: data.running.toLocaleString() },
        )}
      </p>
    </div>
  )
}

const Versions = ({
  calls,
  kind,
  chosen,
  choose,
}: {
  calls: Calls
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
    const to =
      event.key === 'ArrowDown'
        ? at + 1
        : event.key === 'ArrowUp'
          ? Math.max(0, at - 1)
          : event.key === 'Home'
            ? 0
            : event.key === 'End'
              ? list.length - 1
              : undefined
    if (to === undefined || !list[to]) return
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
          <div role="gridcell">
            <header>
              <b className="m-num">V{one.version_no}</b>
              {one.state === 'current' && <Badge tone="good">{say(['当前', 'Now'])}</Badge>}
              <span className="m-muted">
                {one.by || say(['系统', 'System'])} · <When at={one.effective_at} />
              </span>
            </header>
            <p>{one.reason}</p>
            {one.version_no === chosen && (
              <>
                <Changes
                  of={one.changes as readonly RuleChange[]}
                  none={say(['与上一版本相同', 'As the version before'])}
                />
                {one.state === 'old' && one.back.length > 0 && (
                  <div className="oc-back">
                    <span className="m-muted">
                      {say(['回滚到此版本将改变', 'Going back to it changes'])}
                    </span>
                    <Changes of={one.back as readonly RuleChange[]} none="" />
                  </div>
                )}
              </>
            )}
          </div>
        </div>
      ))}
    </div>
  )
}

type Side = 'diff' | 'simulate' | 'history'
const sides = {
  diff: ['改动', 'Changes'],
  simulate: ['试算', 'Trial'],
  history: ['历史', 'History'],
} as const satisfies Record<Side, Text>

type KindProps = {
  calls: Calls
  actions: Actions
  page: Page
  row: ConfigRow
  rows: readonly ConfigRow[]
  limit: number
  active: boolean
  tell: (kind: ConfigScope, dirty: boolean) => void
  extra?: ((row: ConfigRow, active: boolean) => ReactNode) | undefined
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
      <Desk
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

type DeskProps = Pick<KindProps, 'calls' | 'actions' | 'row' | 'active' | 'extra'> & {
  form: FormState
  next: OrderRules
  all: readonly ConfigRow[]
}
const Desk = ({ calls, actions, form, row, next, all, active, extra }: DeskProps) => {
  const say = useSay()
  const { me } = useWorkbench()
  const { kind } = row
  const [side, setSide] = usePaneState<Side>('side', 'diff')
  const [tried, setTried] = useState<Partial<OrderRules> | undefined>(undefined)
  const [version, setVersion] = useState<ConfigVersion | undefined>(undefined)
  const panel = useRef<HTMLElement>(null)
  const changes = rulesDiff(kind, row.fields, next)
  const fields = Object.fromEntries(
    changes.map(one => [one.field, next[one.field]]),
  ) as Partial<OrderRules>
  const show = (to: Side) => {
    setSide(to)
    requestAnimationFrame(() =>
      (panel.current?.querySelector<HTMLElement>('[data-side-focus]') ?? panel.current)?.focus(),
    )
  }
  const trial = () => {
    const wrong = rulesFor(kind).find(name => form.fault(name) ?? ruleFault(name, next[name]))
    if (wrong) {
      form.touch(wrong)
      goToQuestion(form.idOf(wrong))
      return
    }
    setTried(fields)
    show('simulate')
  }
  const copy = (from: string) => {
    const source = all.find(one => one.kind === from)
    if (!source || from === kind) return
    const copied = copiedRules(kind, source.kind, next, source.fields)
    const names = rulesFor(kind).filter(
      name => isAsked(name) && JSON.stringify(copied[name]) !== JSON.stringify(next[name]),
    )
    form.fill(
      Object.fromEntries(
        names.map(name => {
          const [field, value]: [RuleField, unknown] = [ruleFields[name], copied[name]]
          return [
            name,
            field.kind === 'percent'
              ? (value as number) / 100
              : field.kind === 'days'
                ? (value as number[]).map(String)
                : (value ?? undefined),
          ]
        }),
      ),
    )
    show('diff')
  }
  return (
    <>
      {active && (
        <Performs
          actions={actions}
          save={form.go}
          trial={trial}
          copy={copy}
          show={show}
          row={row}
          version={side === 'history' ? version : undefined}
        />
      )}
      <div className="oc-facts">
        <Badge>
          {row.version_no === 0 ? say(['初始规则', 'As installed']) : `V${row.version_no}`}
        </Badge>
        <span>
          {row.by && <>{row.by} · </>}
          <When at={row.effective_at} />
          {row.reason && (
            <>
              {say(colon)}
              {row.reason}
            </>
          )}
        </span>
        <span className="m-fill" />
        <span className="m-num">
          {say(['进行中 {n} 笔', '{n} in progress'], { n: row.running.toLocaleString() })}
        </span>
        {row.on_sale > 0 && (
          <span className="m-num">
            {say(['在售 {n} 个', '{n} on sale'], { n: row.on_sale.toLocaleString() })}
          </span>
        )}
        <FormNotes
          of={form}
          unsaved={say(['{n} 项未保存', '{n} not saved'], { n: changes.length })}
        />
      </div>
      <div className="oc-body">
        <Split label={say(['表单与改动的分隔', 'Between form and changes'])} start={66}>
          <div className="oc-form m-ask" role="form" aria-label={say(configScopes[kind])}>
            {sectionsOf(kind)
              .map(one => ({ ...one, fields: one.fields.filter(isAsked) }))
              .filter(one => one.fields.length > 0)
              .map(one => (
                <fieldset key={one.key}>
                  <legend>{say(one.title)}</legend>
                  <div>
                    {one.fields.map(name => (
                      <div
                        key={name}
                        data-changed={changes.some(change => change.field === name) || undefined}
                      >
                        <FormField of={form} name={name} />
                      </div>
                    ))}
                  </div>
                </fieldset>
              ))}
            {extra?.(row, active)}
          </div>
          <aside className="oc-side" ref={panel} tabIndex={-1} aria-label={say(sides[side])}>
            <div className="m-tabs" role="tablist">
              {(Object.keys(sides) as Side[])
                .filter(one => one !== 'history' || me.can(actions.history.permit))
                .filter(one => one !== 'simulate' || me.can(actions.simulate.permit))
                .map(one => (
                  <button
                    key={one}
                    type="button"
                    role="tab"
                    aria-selected={side === one}
                    onClick={() =>
                      one === 'simulate' && changes.length > 0 ? trial() : setSide(one)
                    }
                  >
                    {say(sides[one])}
                    {one === 'diff' && changes.length > 0 && (
                      <span className="m-num">{changes.length}</span>
                    )}
                  </button>
                ))}
            </div>
            <div className="oc-panel">
              {side === 'diff' ? (
                <Changes
                  of={changes}
                  none={say([
                    '没有改动。改动会在这里用业务语言列出，保存前核对。',
                    'No changes yet. Review them here before saving.',
                  ])}
                />
              ) : side === 'simulate' ? (
                <Simulated
                  calls={calls}
                  kind={kind}
                  fields={tried}
                  now={fields}
                  simulate={actions.simulate}
                />
              ) : (
                <Versions
                  calls={calls}
                  kind={kind}
                  chosen={version?.version_no}
                  choose={setVersion}
                />
              )}
            </div>
          </aside>
        </Split>
      </div>
    </>
  )
}

/** What the page's actions do for the kind that is shown. */
const Performs = ({
  actions,
  save,
  trial,
  copy,
  show,
  row,
  version,
}: {
  actions: Actions
  save: () => void
  trial: () => void
  copy: (from: string) => void
  show: (side: Side) => void
  row: ConfigRow
  version: ConfigVersion | undefined
}) => {
  const { run } = useWorkbench()
  const { id: pane } = usePane()
  useSubject(useMemo(() => ({ rows: [version ?? row] }), [version, row]))
  useAction(actions.save, save)
  useAction(actions.simulate, trial)
  useAction(actions.diff, () => show('diff'))
  useAction(actions.history, () => show('history'))
  useAnswered(actions.copyFrom, answers => copy(answers.kind as string))
  useAction(actions.rollback, on => {
    const to = on[0] as ConfigVersion
    void run(actions.rollback, [to], {
      pane,
      asked: { refund: to.back.some(one => one.refund), version_no: row.version_no },
    })
  })
  return null
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
  calls: Calls
  actions: Actions & Readonly<Record<string, Action>>
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
