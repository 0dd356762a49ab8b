import { Button, InputGroup, TextArea } from '@blueprintjs/core'
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useDispatch } from 'react-redux'
import { ask, type Action } from '#commands/command.ts'
import { settingsActions } from '#commands/order/settings.ts'
import { settings as page } from '#commands/pages/order.ts'
import {
  areasOf,
  areaWords,
  freightFaults,
  freightGap,
  freightModes,
  type FreightMode,
  type FreightTemplate,
} from '#src/areas/shipping/freight.ts'
import type { Result } from '#src/contract/call.ts'
import { centsOf, yuan } from '#src/domain/money.ts'
import { clause, colon, comma, semicolon, type Text } from '#src/domain/text.ts'
import { useTrail } from '#src/kit/changed.tsx'
import { dispatchRead, useRead, useWrite, type CallError } from '#src/kit/data.ts'
import { FormField, FormNotes, useForm, useUnsaved } from '#src/kit/form.tsx'
import { Inspector } from '#src/kit/inspector.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { refusedBy, type Refused } from '#src/kit/refused.ts'
import { Badge, Fact, Facts, Keys, Section, When } from '#src/kit/show.tsx'
import { Split } from '#src/kit/split.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { useSay, type Say } from '#src/kit/text.ts'
import { useAction, useAnswered, useResult, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import { settings as calls, type TemplateRow } from '../contract/settings.ts'

const unitOf = (mode: FreightMode): Text => freightModes[mode].unit
type Tried = {
  id: number
  version: number
  area: string
  qty: number
  told: Result<typeof calls.calcFreight>
}

/** What a template says, and what the last trial of it told. */
const Template = ({ row, tried }: { row: TemplateRow; tried: Tried | undefined }) => {
  const say = useSay()
  const unit = say(unitOf(row.mode))
  return (
    <Inspector
      title={row.name}
      aside={
        <>
          <Badge>{say(freightModes[row.mode].title)}</Badge>
          {row.faults.length > 0 && <Badge tone="bad">{say(['需要修正', 'To be mended'])}</Badge>}
        </>
      }
    >
      {row.faults.length > 0 && (
        <ul className="oc-faults" role="alert">
          {row.faults.map(one => (
            <li key={one.at + one.text[0]}>{say(one.text)}</li>
          ))}
        </ul>
      )}
      {tried && (
        <Section
          title={say(['试算：{qty} 件送到{area}', 'Trial: {qty} to {area}'], {
            qty: tried.qty,
            area: tried.area,
          })}
        >
          <p className="oc-told" aria-live="polite">
            {tried.told.ok ? (
              <>
                <b className="m-num">¥{yuan(tried.told.cents!)}</b> {say(tried.told.how)}
              </>
            ) : (
              <span className="m-bad">{say(tried.told.how)}</span>
            )}
            {tried.version !== row.version && (
              <Badge tone="warn">
                {say(['模板已改，请重新试算', 'The template changed since'])}
              </Badge>
            )}
          </p>
        </Section>
      )}
      <Section title={say(['模板', 'Template'])}>
        <Facts>
          <Fact label={say(['归属', 'Owner'])}>
            {row.merchant_id === null ? say(['平台通用', 'The platform']) : row.merchant_name}
          </Fact>
          <Fact label={say(['使用中', 'In use'])}>
            {say(['{n} 个在售商品', '{n} products on sale'], { n: row.used })}
          </Fact>
          <Fact label={say(['最近修改', 'Changed'])}>
            <When at={row.updated_at} />
          </Fact>
          <Fact wide label={say(['不配送', 'Nothing goes to'])}>
            {row.no_delivery.length > 0 ? areaWords(row.no_delivery) : '—'}
          </Fact>
        </Facts>
      </Section>
      <Section title={say(['运费', 'Fees'])}>
        <table className="oc-effects">
          <thead>
            <tr>
              <th scope="col">{say(['地区', 'Places'])}</th>
              <th scope="col">{say(['首', 'First'])}</th>
              <th scope="col">{say(['续', 'Next'])}</th>
            </tr>
          </thead>
          <tbody>
            {row.regions.map((one, at) => (
              <tr key={at}>
                <th scope="row">{areaWords(one.areas)}</th>
                <td className="m-num">
                  {one.first} {unit}
                  <br />
                  {yuan(one.first_cents)}
                </td>
                <td className="m-num">
                  {one.next} {unit}
                  <br />
                  {yuan(one.next_cents)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
      {row.free_rules.length > 0 && (
        <Section title={say(['包邮', 'Free'])}>
          <ul className="oc-free">
            {row.free_rules.map((one, at) => (
              <li key={at}>
                {[
                  one.over_cents !== undefined &&
                    say(['满 {n} 元', '¥{n} and more'], { n: yuan(one.over_cents) }),
                  one.over_units !== undefined &&
                    say(['满 {n} {unit}', '{n} {unit} and more'], { n: one.over_units, unit }),
                ]
                  .filter(Boolean)
                  .join(say(['且', ' and ']))}
                {say(colon)}
                {areaWords(one.areas)}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </Inspector>
  )
}

/** A group of places and its fees as they are typed: text until it reads as a value. */
type Typed = { areas: string; first: string; first_yuan: string; next: string; next_yuan: string }
type TypedFree = { areas: string; over_yuan: string; over_units: string }
type Answers = {
  name?: string
  mode?: FreightMode
  regions: Typed[]
  free_rules: TypedFree[]
  no_delivery: string
}
const plain = (cents: number | undefined) =>
  cents === undefined ? '' : yuan(cents).replaceAll(',', '')
const typedOf = (
  row: TemplateRow | undefined,
): Pick<Answers, 'regions' | 'free_rules' | 'no_delivery'> => ({
  regions: row?.regions.map(one => ({
    areas: areaWords(one.areas),
    first: `${one.first}`,
    first_yuan: plain(one.first_cents),
    next: `${one.next}`,
    next_yuan: plain(one.next_cents),
  })) ?? [{ areas: '', first: '1', first_yuan: '', next: '1', next_yuan: '' }],
  free_rules:
    row?.free_rules.map(one => ({
      areas: areaWords(one.areas),
      over_yuan: plain(one.over_cents),
      over_units: one.over_units === undefined ? '' : `${one.over_units}`,
    })) ?? [],
  no_delivery: row && row.no_delivery.length > 0 ? areaWords(row.no_delivery) : '',
})
const int = (typed: string) =>
  /^\d{1,9}$/.test(typed.normalize('NFKC').trim())
    ? Number(typed.normalize('NFKC').trim())
    : Number.NaN
const read = (of: Answers): FreightTemplate => ({
  mode: of.mode ?? 'piece',
  no_delivery: areasOf(of.no_delivery).areas,
  regions: of.regions.map(one => ({
    areas: areasOf(one.areas).areas,
    first: int(one.first),
    first_cents: centsOf(one.first_yuan) ?? Number.NaN,
    next: int(one.next),
    next_cents: centsOf(one.next_yuan) ?? Number.NaN,
  })),
  free_rules: of.free_rules.map(one => ({
    areas: areasOf(one.areas).areas,
    ...(one.over_yuan.trim() && { over_cents: centsOf(one.over_yuan) ?? Number.NaN }),
    ...(one.over_units.trim() && { over_units: int(one.over_units) }),
  })),
})
/**
 * Every fault of what is typed, by its field: words that are no place first, then what the
 * template's own rules say.
 */
const faultsOf = (of: Answers): Record<string, Text> => {
  const faults: Record<string, Text> = {}
  const look = (at: string, typed: string) => {
    const { unknown } = areasOf(typed)
    if (unknown.length > 0)
      faults[at] = [
        `无法识别：${unknown.slice(0, 5).join('、')}`,
        `Not known: ${unknown.slice(0, 5).join(', ')}`,
      ]
  }
  of.regions.forEach((one, n) => look(`regions.${n}.areas`, one.areas))
  of.free_rules.forEach((one, n) => look(`free_rules.${n}.areas`, one.areas))
  look('no_delivery', of.no_delivery)
  for (const { at, text } of freightFaults(read(of))) faults[at] ??= text
  return faults
}

const asks = {
  name: ask.text({ label: ['模板名称', 'Name'], max: 64, initial: rows => rows[0]?.name }),
  mode: ask.choice({
    label: ['计费方式', 'Counted'],
    options: Object.fromEntries(
      Object.entries(freightModes).map(([key, { title }]) => [key, title]),
    ),
    initial: rows => rows[0]?.mode ?? 'piece',
  }),
}
const givenFrom = ([of]: readonly TemplateRow[]) => typedOf(of)
/** What the form holds beside its questions. */
const besides = {
  regions: {
    label: ['地区运费', 'Fees by place'],
    told: (of: readonly Typed[], say: Say) =>
      of
        .map(
          one =>
            `${one.areas}${say(colon)}${one.first} / ¥${one.first_yuan}${say(clause)}${one.next} / ¥${one.next_yuan}`,
        )
        .join(say(semicolon)),
  },
  free_rules: {
    label: ['包邮条件', 'Free from'],
    told: (of: readonly TypedFree[], say: Say) =>
      of
        .map(
          one =>
            `${one.areas}${say(colon)}${[one.over_yuan && `¥${one.over_yuan}`, one.over_units].filter(Boolean).join(' + ')}`,
        )
        .join(say(semicolon)) || '—',
  },
  no_delivery: {
    label: ['不配送地区', 'Nothing is delivered to'],
    told: (of: string) => of || '—',
  },
} as const
/**
 * A template being written: groups of places in words, with what is missing told as it is typed.
 */
const Editor = ({
  row,
  done,
}: {
  row: TemplateRow | undefined
  done: (id: number | undefined) => void
}) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [add] = useWrite(calls.addTemplate)
  const [edit] = useWrite(calls.editTemplate)
  const dispatch = useDispatch()
  // The newest reading: what the person did not touch follows it. One that was deleted meanwhile is
  // still that one, and not a new one.
  const last = useRef(row)
  if (row) last.current = row
  const rows = useMemo(() => (last.current ? [last.current] : []), [row])
  const base = useId()
  const box = useRef<HTMLDivElement>(null)
  const [tried, setTried] = useState(false)
  const submit = async (
    raw: Record<string, unknown>,
    [began]: readonly TemplateRow[],
  ): Promise<true | Refused> => {
    const answers = raw as Answers
    setTried(true)
    const [wrong] = Object.keys(faultsOf(answers))
    if (wrong) {
      requestAnimationFrame(() =>
        (
          box.current?.querySelector<HTMLElement>('[aria-invalid=true]') ??
          box.current?.querySelector<HTMLElement>('textarea')
        )?.focus(),
      )
      return {}
    }
    const { mode, regions, free_rules, no_delivery } = read(answers)
    const body = {
      name: answers.name!,
      mode,
      regions: [...regions],
      free_rules: [...free_rules],
      no_delivery,
    }
    try {
      const saved = began
        ? await edit({ id: began.id, version: began.version, ...body }, { quiet: true })
        : await add(body, { quiet: true })
      form.reset()
      toast(say(['已保存，只影响此后的订单', 'Saved: it holds for orders from now on']), 'success')
      done(saved.id)
      return true
    } catch (fault) {
      const { data, message } = fault as CallError
      const refused = await refusedBy(fault, {
        newest:
          began &&
          (async () =>
            (
              await dispatchRead(dispatch as never, calls.templates, { pageSize: 200 }, true)
            ).list.filter(one => one.id === began.id)),
      })
      return {
        ...refused,
        fields: (data?.fields ?? {}) as Record<string, string>,
        message: data?.fields?.name ? '' : message,
      }
    }
  }
  const form = useForm({
    asks,
    rows,
    given: givenFrom,
    words: besides,
    draft: `freight:${row?.id ?? 0}`,
    submit,
    trail: useTrail(page, rows),
  })
  const [began] = form.rows as readonly TemplateRow[]
  useUnsaved(form)
  useAction(settingsActions.save, form.go)
  const answers = form.answers as unknown as Answers | undefined
  const ready = answers !== undefined
  useEffect(() => {
    if (ready) box.current?.querySelector<HTMLElement>('input')?.focus()
  }, [ready])
  if (!answers) return <Loading lines={12} />
  const faults = faultsOf(answers)
  const gap = freightGap(read(answers))
  const unit = say(unitOf(answers.mode ?? 'piece'))
  const fault = (at: string) =>
    (tried || at.endsWith('areas') || at === 'no_delivery'
      ? faults[at] && !(faults[at]![0] === '请选择地区' && !tried)
        ? say(faults[at]!)
        : undefined
      : undefined) ?? form.refused?.fields?.[at]
  const region = (n: number, more: Partial<Typed>) =>
    form.change(
      'regions',
      answers.regions.map((one, at) => (at === n ? { ...one, ...more } : one)),
    )
  const free = (n: number, more: Partial<TypedFree>) =>
    form.change(
      'free_rules',
      answers.free_rules.map((one, at) => (at === n ? { ...one, ...more } : one)),
    )
  const told = (at: string) => (
    <div className="m-error" id={`${base}-${at}`} role={fault(at) ? 'alert' : undefined}>
      {fault(at)}
    </div>
  )
  const areas = (at: string, value: string, change: (next: string) => void, label: Text) => (
    <div className="oc-areas">
      <TextArea
        aria-label={say(label)}
        aria-invalid={Boolean(fault(at))}
        aria-describedby={`${base}-${at}`}
        rows={2}
        maxLength={4000}
        value={value}
        placeholder={say([
          '省或城市名，用顿号隔开；「全国」为所有省份',
          'Provinces or cities in Chinese, with commas',
        ])}
        onChange={event => change(event.target.value)}
      />
      {told(at)}
    </div>
  )
  const small = (
    at: string,
    value: string,
    change: (next: string) => void,
    label: Text,
    width = 72,
  ) => (
    <div style={{ width }}>
      <InputGroup
        size="small"
        aria-label={say(label)}
        aria-invalid={Boolean(fault(at))}
        aria-describedby={`${base}-${at}`}
        inputMode="decimal"
        maxLength={12}
        value={value}
        onValueChange={change}
      />
      {told(at)}
    </div>
  )
  return (
    <div
      className="oc-editor m-ask"
      ref={box}
      role="form"
      aria-label={say(
        began ? ['编辑运费模板', 'Edit the template'] : ['新增运费模板', 'New template'],
      )}
    >
      <header>
        <b>{began ? began.name : say(['新运费模板', 'New freight template'])}</b>
        <FormNotes of={form} />
        <span className="m-fill" />
        <Button size="small" intent="primary" loading={form.busy} onClick={form.go}>
          {say(['保存模板', 'Save the template'])}
          <Keys keys="Ctrl+S" />
        </Button>
        <Button
          size="small"
          onClick={() => {
            form.reset()
            done(began?.id)
          }}
        >
          {say(['取消', 'Cancel'])}
        </Button>
      </header>
      {form.refused?.message && (
        <div className="m-error" role="alert">
          {form.refused.message}
        </div>
      )}
      <div className="oc-head">
        <FormField of={form} name="name" />
        <FormField of={form} name="mode" />
      </div>
      <h4>{say(['地区运费', 'Fees by place'])}</h4>
      {answers.regions.map((one, n) => (
        <section
          key={n}
          className="oc-group"
          aria-label={say(['第 {n} 组', 'Group {n}'], { n: n + 1 })}
        >
          {areas(
            `regions.${n}.areas`,
            one.areas,
            next => region(n, { areas: next }),
            ['第 {n} 组地区', 'Places of group {n}'].map(text =>
              text.replace('{n}', `${n + 1}`),
            ) as unknown as Text,
          )}
          <div className="oc-fees">
            {say(['首', 'First'])}{' '}
            {small(`regions.${n}.first`, one.first, first => region(n, { first }), [
              '首件数量',
              'First units',
            ])}{' '}
            {unit}{' '}
            {small(
              `regions.${n}.first_cents`,
              one.first_yuan,
              first_yuan => region(n, { first_yuan }),
              ['首费（元）', 'Fee of the first (yuan)'],
            )}{' '}
            {say(['元，续', 'yuan, then'])}{' '}
            {small(`regions.${n}.next`, one.next, next => region(n, { next }), [
              '续件数量',
              'Next units',
            ])}{' '}
            {unit}{' '}
            {small(
              `regions.${n}.next_cents`,
              one.next_yuan,
              next_yuan => region(n, { next_yuan }),
              ['续费（元）', 'Fee of the next (yuan)'],
            )}{' '}
            {say(['元', 'yuan'])}
            <span className="m-fill" />
            {gap.length > 0 && (
              <Button
                size="small"
                variant="minimal"
                onClick={() =>
                  region(n, {
                    areas: [one.areas.trim(), areaWords(gap)].filter(Boolean).join(comma[0]),
                  })
                }
              >
                {say(['填入未覆盖地区', 'Put the rest here'])}
              </Button>
            )}
            <Button
              size="small"
              variant="minimal"
              disabled={answers.regions.length === 1}
              aria-label={say(['删除第 {n} 组', 'Take group {n} out'], { n: n + 1 })}
              onClick={() =>
                form.change(
                  'regions',
                  answers.regions.filter((_, at) => at !== n),
                )
              }
            >
              ×
            </Button>
          </div>
          {tried &&
            [
              ...new Set(
                (['first', 'first_cents', 'next', 'next_cents'] as const)
                  .map(name => fault(`regions.${n}.${name}`))
                  .filter(Boolean),
              ),
            ].map(text => (
              <div key={text} className="m-error" role="alert">
                {text}
              </div>
            ))}
        </section>
      ))}
      <div>
        <Button
          size="small"
          disabled={answers.regions.length >= 60}
          onClick={() =>
            form.change('regions', [
              ...answers.regions,
              { areas: '', first: '1', first_yuan: '', next: '1', next_yuan: '' },
            ])
          }
        >
          {say(['增加地区组', 'Add a group'])}
        </Button>
      </div>
      {gap.length > 0 && (
        <p className="oc-note" data-tone="warn" role="status">
          {say(['还没有运费：{areas}', 'No fee yet for {areas}'], { areas: areaWords(gap) })}
        </p>
      )}
      <h4>{say(['包邮条件（选填）', 'Free from (optional)'])}</h4>
      {answers.free_rules.map((one, n) => (
        <section
          key={n}
          className="oc-group"
          aria-label={say(['包邮条件 {n}', 'Rule {n}'], { n: n + 1 })}
        >
          {areas(`free_rules.${n}.areas`, one.areas, next => free(n, { areas: next }), [
            '包邮地区',
            'Free to',
          ])}
          <div className="oc-fees">
            {say(['满', 'From'])}{' '}
            {small(
              `free_rules.${n}.over_cents`,
              one.over_yuan,
              over_yuan => free(n, { over_yuan }),
              ['包邮金额（元）', 'Amount (yuan)'],
            )}{' '}
            {say(['元', 'yuan'])} {say(['且满', 'and'])}{' '}
            {small(
              `free_rules.${n}.over_units`,
              one.over_units,
              over_units => free(n, { over_units }),
              ['包邮数量', 'Units'],
            )}{' '}
            {unit}
            <span className="m-muted">{say(['可只填一项', 'one is enough'])}</span>
            <span className="m-fill" />
            <Button
              size="small"
              variant="minimal"
              aria-label={say(['删除包邮条件 {n}', 'Take rule {n} out'], { n: n + 1 })}
              onClick={() =>
                form.change(
                  'free_rules',
                  answers.free_rules.filter((_, at) => at !== n),
                )
              }
            >
              ×
            </Button>
          </div>
          {tried &&
            [
              ...new Set(
                (['over_cents', 'over_units'] as const)
                  .map(name => fault(`free_rules.${n}.${name}`))
                  .filter(Boolean),
              ),
            ].map(text => (
              <div key={text} className="m-error" role="alert">
                {text}
              </div>
            ))}
        </section>
      ))}
      <div>
        <Button
          size="small"
          onClick={() =>
            form.change('free_rules', [
              ...answers.free_rules,
              { areas: '', over_yuan: '', over_units: '' },
            ])
          }
        >
          {say(['增加包邮条件', 'Add a rule'])}
        </Button>
      </div>
      <h4>{say(['不配送（选填）', 'Nothing goes to (optional)'])}</h4>
      {areas('no_delivery', answers.no_delivery, next => form.change('no_delivery', next), [
        '不配送地区',
        'Nothing is delivered to',
      ])}
      {tried && faults.regions && (
        <div className="m-error" role="alert">
          {say(faults.regions)}
        </div>
      )}
    </div>
  )
}

/** What concerns the rules of a kind, and not the templates shown now. */
const Elsewhere = ({ saves }: { saves: boolean }) => (
  <>
    {[
      ...(saves ? [settingsActions.save] : []),
      settingsActions.simulate,
      settingsActions.diff,
      settingsActions.history,
      settingsActions.copyFrom,
      settingsActions.setNoDelivery,
      settingsActions.setSender,
    ].map(action => (
      <Refers key={action.id} action={action} />
    ))}
  </>
)
const Refers = ({ action }: { action: Action }) => {
  const say = useSay()
  const { toast } = useWorkbench()
  useAction(action, () =>
    toast(
      say(['请先切换到电商、众筹或积分的规则', 'Choose the rules of a kind of order first']),
      'none',
    ),
  )
  return null
}
/**
 * The freight templates of the platform and its merchants: what sending costs, tried as checkout
 * asks.
 */
export const Templates = () => {
  const say = useSay()
  const dispatch = useDispatch()
  const { data, error, refetch } = useRead(calls.templates, { pageSize: 200 })
  const [chosen, choose] = usePaneState<number | undefined>('template', undefined)
  const [editing, setEditing] = usePaneState<'new' | number | undefined>('editing', undefined)
  const [tried, setTried] = useState<Tried | undefined>(undefined)
  const box = useRef<HTMLDivElement>(null)
  const list = useMemo(() => data?.list ?? [], [data])
  const row = list.find(one => one.id === chosen) ?? list[0]
  useSubject(useMemo(() => ({ rows: row ? [row] : [] }), [row]))
  useAction(settingsActions.addTemplate, () => setEditing('new'))
  useAction(settingsActions.editTemplate, on => {
    if (on[0]) setEditing((on[0] as TemplateRow).id)
  })
  useResult(settingsActions.copyTemplate, ({ id }) => {
    choose(id)
    setEditing(id)
  })
  useAnswered(settingsActions.calcFreight, asked => {
    if (!row) return
    const { area, qty, price, weight, volume } = asked as {
      area: string
      qty: number
      price: number
      weight?: number
      volume?: number
    }
    dispatchRead(
      dispatch as never,
      calls.calcFreight,
      {
        template_id: row.id,
        area,
        items: [
          {
            qty,
            price_cents: price,
            ...(weight !== undefined && { weight_g: weight }),
            ...(volume !== undefined && { volume_cm3: volume }),
          },
        ],
      },
      true,
    ).then(
      told => setTried({ id: row.id, version: row.version, area, qty, told }),
      () => setTried(undefined),
    )
  })
  useEffect(() => {
    box.current?.focus()
  }, [data === undefined])
  if (error && !data) return <Failed error={error} retry={refetch} />
  if (!data) return <Loading lines={12} />
  const at = row ? list.indexOf(row) : -1
  const onKeyDown = (event: KeyboardEvent) => {
    const to =
      event.key === 'ArrowDown'
        ? at + 1
        : event.key === 'ArrowUp'
          ? at - 1
          : event.key === 'Home'
            ? 0
            : event.key === 'End'
              ? list.length - 1
              : undefined
    if (event.key === 'Enter' && row) {
      event.preventDefault()
      setEditing(row.id)
    }
    if (to === undefined || !list[to]) return
    event.preventDefault()
    event.stopPropagation()
    choose(list[to].id)
    box.current?.children[to]?.scrollIntoView({ block: 'nearest' })
  }
  const edited = list.find(one => one.id === editing)
  const done = (id: number | undefined) => {
    setEditing(undefined)
    if (id) choose(id)
    requestAnimationFrame(() => box.current?.focus())
  }
  return (
    <div className="oc-body">
      <Elsewhere saves={editing === undefined} />
      <Split label={say(['模板与详情的分隔', 'Between templates and detail'])} start={34}>
        {list.length === 0 ? (
          <Empty title={say(['还没有运费模板', 'No template yet'])}>
            <p>
              <Keyed
                text={['按 {add} 新增。', '{add} makes one.']}
                by={{ add: settingsActions.addTemplate }}
              />
            </p>
          </Empty>
        ) : (
          <div
            className="oc-versions oc-templates"
            role="grid"
            tabIndex={0}
            ref={box}
            aria-label={say(['运费模板', 'Freight templates'])}
            aria-activedescendant={row && `oc-t-${row.id}`}
            onKeyDown={onKeyDown}
          >
            {list.map(one => (
              <div
                key={one.id}
                id={`oc-t-${one.id}`}
                role="row"
                aria-selected={one.id === row?.id}
                onClick={() => choose(one.id)}
                onDoubleClick={() => setEditing(one.id)}
              >
                <div role="gridcell">
                  <header>
                    <b>{one.name}</b>
                    {one.faults.length > 0 && <Badge tone="bad">{say(['有缺口', 'A gap'])}</Badge>}
                  </header>
                  <p className="m-muted">
                    {say(freightModes[one.mode].title)} ·{' '}
                    {say(['{n} 个在售商品', '{n} products on sale'], { n: one.used })}
                    {one.merchant_id !== null && ` · ${one.merchant_name}`}
                  </p>
                </div>
              </div>
            ))}
          </div>
        )}
        {editing === 'new' || edited ? (
          <Editor key={editing} row={edited} done={done} />
        ) : row ? (
          <Template row={row} tried={tried?.id === row.id ? tried : undefined} />
        ) : (
          <Inspector title={undefined} />
        )}
      </Split>
    </div>
  )
}
