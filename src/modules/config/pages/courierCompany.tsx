import { BanCircle as Ban, Star, Tick } from '@blueprintjs/icons'
import { useState } from 'react'
import { courierActions } from '#commands/config/courier.ts'
import type { Arranged } from '#commands/record.ts'
import { switches } from '#src/areas/people/people.ts'
import { provinceNames } from '#src/areas/place/divisions.ts'
import { parcelStates } from '#src/areas/shipping/track.ts'
import type { Result } from '#src/contract/call.ts'
import { percent } from '#src/domain/money.ts'
import { aside, comma } from '#src/domain/text.ts'
import { numberColumn, SmallTable, State, textColumn, type States } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, usePane, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { courierCompany as calls, type CourierRow } from '../contract/courierCompany.ts'

const states: States<'default' | 'on' | 'off'> = {
  default: { text: ['默认', 'Default'], tone: 'good', icon: Star },
  on: { text: switches.on, tone: 'good', icon: Tick },
  off: { text: switches.off, icon: Ban },
}
const stateOf = ({ is_default, status }: CourierRow) => (is_default ? 'default' : status)
/** A percentage of one decimal: of no parcels none. */
const failureOf = ({ used_30d, failed_30d }: CourierRow) =>
  used_30d > 0 ? percent(Math.round((failed_30d * 1000) / used_30d) * 10) : '—'

const columns: readonly Column<CourierRow>[] = [
  { ...textColumn('name', ['名称', 'Name'], 130), grow: true },
  textColumn('code', ['编码', 'Code'], 130, code => <code>{code}</code>),
  {
    ...textColumn('sample', ['示例单号', 'Sample number'], 160, no => <code>{no}</code>),
    grow: true,
  },
  textColumn('phone', ['客服电话', 'Phone'], 110, no => <span className="m-num">{no}</span>),
  numberColumn('used_30d', ['30 天包裹', 'Parcels, 30 d'], 100),
  {
    key: 'failed_30d',
    title: ['异常率', 'Issue rate'],
    width: 88,
    align: 'end',
    cell: row => failureOf(row),
    words: failureOf,
  },
  {
    key: 'state',
    title: ['状态', 'State'],
    width: 90,
    cell: row => <State of={stateOf(row)} in={states} />,
  },
  { ...textColumn('account_no', ['面单账号', 'Waybill account'], 120), optional: true },
  { ...textColumn('pattern', ['单号规则', 'Form'], 180, of => <code>{of}</code>), optional: true },
]

type Tested = Result<typeof calls.testTrack>
/** What the tracking service told of a number that was tried. */
const Trial = ({ of }: { of: Tested }) => {
  const say = useSay()
  return (
    <Section title={say(['测试查询 {no}', 'Tried {no}'], { no: of.tracking_no })}>
      {of.state === null ? (
        <p>{of.answer}</p>
      ) : (
        <SmallTable
          head={[['时间', 'Time'], parcelStates[of.state]]}
          rows={of.traces}
          keyOf={trace => `${trace.at}${trace.text}`}
          cells={trace => [<When key="at" at={trace.at} />, trace.text]}
        />
      )}
    </Section>
  )
}

const CourierDetail = ({ row, tested }: { row: CourierRow; tested: Tested | undefined }) => {
  const say = useSay()
  const areas = row.areas.map(code => say(provinceNames[code]!)).join(say(comma))
  return (
    <Inspector title={row.name} aside={<State of={stateOf(row)} in={states} />}>
      {tested && <Trial of={tested} />}
      <Section title={say(['单号', 'Tracking numbers'])}>
        <Facts>
          <Fact label={say(['查询编码', 'Code'])}>
            <code>{row.code}</code>
          </Fact>
          <Fact label={say(['客服电话', 'Phone'])}>{row.phone || '—'}</Fact>
          <Fact wide label={say(['单号规则', 'Number format'])}>
            {row.pattern ? (
              <code className="m-anywhere">{row.pattern}</code>
            ) : (
              say(['不校验', 'Any'])
            )}
          </Fact>
          <Fact wide label={say(['示例单号', 'Sample number'])}>
            {row.sample ? <code>{row.sample}</code> : '—'}
          </Fact>
          <Fact wide label={say(['服务地区', 'Serves'])}>
            {areas || say(['全国', 'The whole country'])}
          </Fact>
        </Facts>
      </Section>
      <Section title={say(['近 30 天', 'Last 30 days'])}>
        <Facts>
          <Fact label={say(['包裹', 'Parcels'])}>{row.used_30d}</Fact>
          <Fact label={say(['异常', 'With issues'])}>
            {row.failed_30d > 0 ? `${row.failed_30d}${say(aside, { it: failureOf(row) })}` : 0}
          </Fact>
        </Facts>
      </Section>
      <Section title={say(['电子面单', 'Waybills'])}>
        <Facts>
          <Fact label={say(['客户编码', 'Customer number'])}>
            {row.account_no || say(['未绑定', 'None'])}
          </Fact>
          {row.account_no && (
            <Fact label={say(['密钥', 'Secret'])}>
              {row.has_secret ? say(['已保存', 'Kept']) : say(['未填写', 'None'])}
            </Fact>
          )}
        </Facts>
      </Section>
    </Inspector>
  )
}

/** The question in which order couriers are offered begins with the order that they have. */
const useArranging = () => {
  const pane = usePane()
  const { run } = useWorkbench()
  const { data } = useRead(calls.lst, { pageSize: 1 })
  useAction(courierActions.sort, () => {
    if (!data) return
    const entries = data.arranged.map(({ id, name }, at) => ({ id, text: `${at + 1}. ${name}` }))
    const on: Arranged = { list_version: data.list_version, entries }
    void run(courierActions.sort, [], { pane: pane.id, on })
  })
}

/** Couriers as they are offered when goods are sent: the form of their numbers, and how they fare. */
export default function CourierCompanies() {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  const [tested, setTested] = useState<Tested | undefined>(undefined)
  useArranging()
  useResult(courierActions.testTrack, told => {
    setTested(told)
    list.focus(told.id)
  })
  useResult(courierActions.sync, ({ added, renamed, kept }) =>
    toast(
      say(
        [
          '新增 {added} 家（停用），更正 {renamed} 家',
          '{added} added, disabled; {renamed} corrected',
        ],
        { added, renamed },
      ) +
        (kept.length > 0
          ? say(['；名称使用中，未更正：{kept}', '; names in use stay: {kept}'], {
              kept: kept.join(say(comma)),
            })
          : ''),
      'success',
    ),
  )
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['快递公司', 'Couriers'])}
        columns={columns}
        actions={Object.values(courierActions)}
        filters={
          <>
            <Keyword
              of={list}
              placeholder={say(['名称、编码或快递单号', 'Name, code or number'])}
            />
            <Choice of={list} by="status" label={say(['状态', 'State'])} words={switches} />
          </>
        }
      />
      <Chosen of={list} none={say(['选择一家快递公司', 'Choose a courier'])}>
        {row => <CourierDetail row={row} tested={tested?.id === row.id ? tested : undefined} />}
      </Chosen>
    </ListDetail>
  )
}
