import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { useDispatch } from 'react-redux'
import type { Action } from '#commands/command.ts'
import { settingsActions } from '#commands/order/settings.ts'
import { freightModes } from '#src/areas/shipping/freight.ts'
import { dispatchRead, useRead } from '#src/kit/data.ts'
import { Inspector } from '#src/kit/inspector.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Badge } from '#src/kit/show.tsx'
import { Split } from '#src/kit/split.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAction, useAnswered, useResult, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import { settings as calls, type TemplateRow } from '../contract/settings.ts'
import { FreightEditor } from './FreightEditor.tsx'
import { FreightTemplate, type Tried } from './FreightTemplate.tsx'
import { rowAfter } from './rowKeys.ts'

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
/** The last trial of a template, as checkout would ask for its fee. */
const useTrial = (row: TemplateRow | undefined): Tried | undefined => {
  const dispatch = useDispatch()
  const [tried, setTried] = useState<Tried | undefined>(undefined)
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
  return tried
}
const TemplateRows = ({
  list,
  row,
  box,
  choose,
  edit,
}: {
  list: readonly TemplateRow[]
  row: TemplateRow | undefined
  box: RefObject<HTMLDivElement | null>
  choose: (id: number) => void
  edit: (id: number) => void
}) => {
  const say = useSay()
  const at = row ? list.indexOf(row) : -1
  const onKeyDown = (event: KeyboardEvent) => {
    const to = rowAfter(event.key, at, list.length)
    if (event.key === 'Enter' && row) {
      event.preventDefault()
      edit(row.id)
    }
    if (to === undefined || !list[to]) return
    event.preventDefault()
    event.stopPropagation()
    choose(list[to].id)
    box.current?.children[to]?.scrollIntoView({ block: 'nearest' })
  }
  return (
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
          onDoubleClick={() => edit(one.id)}
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
  )
}
const Shown = ({ row, tried }: { row: TemplateRow | undefined; tried: Tried | undefined }) =>
  row ? <FreightTemplate row={row} tried={tried} /> : <Inspector title={undefined} />
/**
 * The freight templates of the platform and its merchants: what sending costs, tried as checkout
 * asks.
 */
export const Templates = () => {
  const say = useSay()
  const { data, error, refetch } = useRead(calls.templates, { pageSize: 200 })
  const [chosen, choose] = usePaneState<number | undefined>('template', undefined)
  const [editing, setEditing] = usePaneState<'new' | number | undefined>('editing', undefined)
  const box = useRef<HTMLDivElement>(null)
  const list = useMemo(() => data?.list ?? [], [data])
  const row = list.find(one => one.id === chosen) ?? list[0]
  const tried = useTrial(row)
  useSubject(useMemo(() => ({ rows: row ? [row] : [] }), [row]))
  useAction(settingsActions.addTemplate, () => setEditing('new'))
  useAction(settingsActions.editTemplate, on => {
    if (on[0]) setEditing((on[0] as TemplateRow).id)
  })
  useResult(settingsActions.copyTemplate, ({ id }) => {
    choose(id)
    setEditing(id)
  })
  useEffect(() => {
    box.current?.focus()
  }, [data === undefined])
  if (error && !data) return <Failed error={error} retry={refetch} />
  if (!data) return <Loading lines={12} />
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
          <TemplateRows list={list} row={row} box={box} choose={choose} edit={setEditing} />
        )}
        {editing === 'new' || edited ? (
          <FreightEditor key={editing} row={edited} done={done} />
        ) : (
          <Shown row={row} tried={tried?.id === row?.id ? tried : undefined} />
        )}
      </Split>
    </div>
  )
}
