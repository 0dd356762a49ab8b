import { cardHitActions as actions } from '#commands/ecard/risk.ts'
import { codeStates } from '#src/areas/ecard/ecard.ts'
import { riskLevels, riskStates, type RiskLevel, type RiskState } from '#src/areas/risk/risk.ts'
import { yuan } from '#src/domain/money.ts'
import {
  numberColumn,
  SmallTable,
  State,
  stateColumn,
  textColumn,
  timeColumn,
  type States,
} from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import { Graph } from '#src/kit/graph.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { cardRisk as calls, type CardHitDetail, type CardHitRow } from '../contract/risk.ts'

const stateLooks: States<RiskState> = {
  open: { text: riskStates.open, tone: 'warn' },
  claimed: { text: riskStates.claimed, tone: 'info' },
  released: { text: riskStates.released },
  confirmed: { text: riskStates.confirmed, tone: 'bad' },
}
const levelLooks: States<RiskLevel> = {
  high: { text: riskLevels.high, tone: 'bad' },
  mid: { text: riskLevels.mid, tone: 'warn' },
  low: { text: riskLevels.low },
}
const columns: readonly Column<CardHitRow>[] = [
  numberColumn('score', ['风险分', 'Score'], 76),
  stateColumn('level', ['等级', 'Level'], 72, levelLooks),
  { ...textColumn('rule_name', ['规则', 'Rule'], 150), grow: true },
  {
    key: 'who',
    title: ['会员', 'Member'],
    width: 110,
    cell: row => row.nickname ?? row.device_id ?? '—',
    words: row => row.nickname ?? row.device_id ?? '',
  },
  numberColumn('cards', ['卡数', 'Cards'], 64),
  {
    key: 'amount_cents',
    title: ['涉及金额', 'Amount'],
    width: 100,
    align: 'end',
    cell: row => <Money cents={row.amount_cents} />,
    words: row => yuan(row.amount_cents),
  },
  { ...numberColumn('frozen_cards', ['已冻结', 'Frozen'], 72), priority: 2 },
  stateColumn('state', ['状态', 'State'], 96, stateLooks),
  { ...timeColumn('hit_at', ['命中时间', 'Hit at'], 108), priority: 1 },
  {
    key: 'claimer_name',
    title: ['处理人', 'Handled by'],
    width: 84,
    priority: 3,
    cell: row => row.claimer_name ?? row.decider_name ?? '—',
  },
  { ...textColumn('report_no', ['报告', 'Report'], 140), optional: true },
  { ...textColumn('city_name', ['城市', 'City'], 72), optional: true },
]
const kinds = {
  payer: ['付款人', 'Payer'],
  card: ['卡', 'Card'],
  holder: ['持卡人', 'Holder'],
  store: ['发卡门店', 'Issuing store'],
} as const

const Cards = ({ of }: { of: CardHitDetail }) => {
  const say = useSay()
  if (of.cards.length === 0)
    return <p className="m-muted">{say(['没有关联的卡', 'No linked cards'])}</p>
  return (
    <>
      <Graph
        label={say(['付款人、卡、持卡人与门店', 'Payers, cards, holders and stores'])}
        kinds={kinds}
        nodes={of.nodes}
        links={of.links}
        height={Math.min(520, 200 + of.cards.length * 16)}
      />
      <SmallTable
        head={[
          ['卡号', 'Card'],
          ['状态', 'State'],
          ['面值', 'Face'],
          ['余额', 'Balance'],
          ['付款人', 'Payer'],
          ['持卡人', 'Holder'],
        ]}
        rows={of.cards}
        keyOf={card => card.id}
        cells={card => [
          card.name,
          say(codeStates[card.state]),
          <Money key="f" cents={card.face_cents} />,
          <Money key="b" cents={card.balance_cents} />,
          card.payer || '—',
          card.holder || '—',
        ]}
      />
    </>
  )
}
const Hit = ({ row }: { row: CardHitRow }) => {
  const say = useSay()
  const detail = useRead(calls.detail, { id: row.id })
  return (
    <Inspector title={row.title} aside={<State of={row.state} in={stateLooks} />}>
      <Section title={say(['命中', 'Hit'])}>
        <Facts>
          <Fact wide label={say(['说明', 'Details'])}>
            {row.note}
          </Fact>
          <Fact label={say(['风险分', 'Score'])}>
            {row.score} · {say(riskLevels[row.level])}
          </Fact>
          <Fact label={say(['涉及金额', 'Amount involved'])}>
            <Money cents={row.amount_cents} sign />
          </Fact>
          <Fact label={say(['会员', 'Member'])}>
            {row.nickname ?? '—'} {row.phone}
          </Fact>
          <Fact label={say(['设备', 'Device'])}>{row.device_id ?? '—'}</Fact>
          <Fact label={say(['卡数', 'Cards'])}>{row.cards}</Fact>
          <Fact label={say(['已冻结', 'Frozen'])}>{row.frozen_cards}</Fact>
          <Fact label={say(['命中时间', 'Hit at'])}>
            <When at={row.hit_at} />
          </Fact>
          <Fact label={say(['合并次数', 'Merged hits'])}>{row.merged_count}</Fact>
          {row.decided_at !== null && (
            <Fact wide label={say(['处理', 'Decision'])}>
              {row.decider_name} <When at={row.decided_at} /> {row.reason}
            </Fact>
          )}
        </Facts>
      </Section>
      <Answer of={detail} lines={8}>
        {of => (
          <>
            <Section title={say(['关系', 'Relations'])}>
              <Cards of={of} />
            </Section>
            {of.report && (
              <Section title={say(['可疑交易报告 {no}', 'Report {no}'], { no: of.report.no })}>
                <p className="m-muted">
                  {of.report.by} <When at={of.report.at} /> {of.report.reason}
                </p>
                <pre className="ec-report">{of.report.text}</pre>
              </Section>
            )}
          </>
        )}
      </Answer>
    </Inspector>
  )
}

/** Hits of e-cards: claimed by one person, decided once, with what is tied to them. */
export const CardHits = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  const { state: _, page: __, pageSize: ___, ...filters } = list.input
  const counts = useRead(calls.counts, filters).data
  useExport(actions.export, calls.export, { list })
  useResult(actions.freezeCards, ({ frozen, left }) => {
    toast(
      say(['已冻结 {n} 张卡，{left} 张不可冻结', '{n} cards frozen, {left} can’t be'], {
        n: frozen,
        left,
      }),
      'success',
    )
    return true
  })
  // An order that was refused is told by the desk, with its reason.
  useResult(actions.refundAll, ({ ok, failed }) => {
    if (failed.length > 0) return false
    const said = [
      '已为 {n} 单申请退款，待他人复审',
      'Refunds requested for {n} orders; another person must approve',
    ] as const
    toast(say(said, { n: ok.length }), 'success')
    return true
  })
  useResult(actions.fileReport, ({ no }) => {
    toast(say(['已生成报告 {no}', 'Reported: {no}'], { no }), 'success')
    return true
  })
  const tab = (key: string, title: readonly [string, string]) => ({
    key,
    title,
    ...(counts && { count: counts[key] ?? 0 }),
  })
  const tabs = {
    by: 'state',
    all: [
      tab('waiting', ['待处理', 'Waiting']),
      tab('mine', ['我领取的', 'Mine']),
      tab('confirmed', riskStates.confirmed),
      tab('released', riskStates.released),
      tab('all', ['全部', 'All']),
    ],
  }
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['电子卡风险命中', 'Hits of e-cards'])}
        columns={columns}
        actions={Object.values(actions)}
        tabs={tabs}
        filters={
          <>
            <Keyword
              of={list}
              placeholder={say(['会员编号、完整手机号或设备', 'Member ID, full phone or device'])}
            />
            <Choice of={list} by="level" label={say(['等级', 'Level'])} words={riskLevels} />
          </>
        }
      />
      <Chosen of={list} none={say(['选择一条命中', 'Choose a hit'])}>
        {row => <Hit key={row.id} row={row} />}
      </Chosen>
    </ListDetail>
  )
}
