import { rankActions as actions } from '#commands/distribution/ranking.ts'
import { measures, ranked, rankStates, type RankState } from '#src/areas/ranking/ranking.ts'
import { aside } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import {
  numberColumn,
  SmallTable,
  State,
  stateColumn,
  textColumn,
  timeColumn,
  wordColumn,
  type States,
} from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Choice } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { ranking as calls, type FrozenRow } from '../contract/ranking.ts'

const SHOWN = 50
const looks: States<RankState> = {
  frozen: { text: rankStates.frozen, tone: 'info' },
  published: { text: rankStates.published, tone: 'good' },
  unpublished: { text: rankStates.unpublished, tone: 'warn' },
}
const columns: readonly Column<FrozenRow>[] = [
  wordColumn('who', ['榜单', 'List'], 100, ranked),
  wordColumn('measure', ['口径', 'Basis'], 100, measures),
  {
    key: 'period',
    title: ['期间', 'Period'],
    width: 190,
    cell: row => (
      <span className="m-num">
        {dateOf(row.from_at)} – {dateOf(row.to_at).slice(5)}
      </span>
    ),
  },
  stateColumn('status', ['状态', 'State'], 110, looks),
  { ...textColumn('where', ['范围', 'Where'], 120), grow: true },
  numberColumn('people', ['上榜', 'Ranked'], 70),
  { ...numberColumn('prizes', ['已发奖', 'Prizes'], 80), priority: 1 },
  { ...textColumn('maker', ['冻结人', 'Frozen by'], 90), priority: 2 },
  { ...timeColumn('created_at', ['冻结时间', 'Frozen'], 110), priority: 2 },
]
const Detail = ({ row }: { row: FrozenRow }) => {
  const say = useSay()
  const read = useRead(calls.detail, { id: row.id })
  return (
    <Inspector title={row.name} aside={<State of={row.status} in={looks} />}>
      <Section title={say(['榜单', 'The list'])}>
        <Facts>
          <Fact label={say(['范围', 'Where'])}>{row.where}</Fact>
          <Fact label={say(['发布时间', 'Published'])}>
            <When at={row.published_at} />
          </Fact>
          <Fact label={say(['已发奖励', 'Prizes given'])}>
            {row.prizes} · <Money cents={row.prize_cents} sign />
          </Fact>
          {row.reason && (
            <Fact wide label={say(['说明', 'Why'])}>
              {row.reason}
            </Fact>
          )}
        </Facts>
      </Section>
      <Answer of={read} lines={12}>
        {of => (
          <>
            <Section title={say(['名次', 'Places'])}>
              <SmallTable
                head={[
                  ['名次', 'Place'],
                  ['名称（发布为）', 'Name (published as)'],
                  ['净销售额', 'Net sales'],
                  ['现在', 'Now'],
                  ['奖励', 'Prize'],
                ]}
                rows={of.rows.slice(0, SHOWN)}
                keyOf={one => one.id}
                cells={one => [
                  <span key="place" className="m-num">
                    {one.place}
                  </span>,
                  one.masked === one.name
                    ? one.name
                    : `${one.name}${say(aside, { it: one.masked })}`,
                  <Money key="net" cents={one.net_cents} />,
                  <Money key="now" cents={one.now_cents} />,
                  one.prize_cents === null ? '—' : <Money key="prize" cents={one.prize_cents} />,
                ]}
              />
              {of.rows.length > SHOWN && (
                <p className="m-muted">
                  {say(['共 {n} 名，显示前 {m} 名', '{n} in all, the first {m} shown'], {
                    n: of.rows.length,
                    m: SHOWN,
                  })}
                </p>
              )}
            </Section>
            {of.excluded.length > 0 && (
              <Section title={say(['已剔除', 'Taken off'])}>
                <SmallTable
                  head={[
                    ['名称', 'Name'],
                    ['原因', 'Why'],
                    ['时间', 'When'],
                  ]}
                  rows={of.excluded}
                  keyOf={one => one.id}
                  cells={one => [one.name, one.reason, <When key="at" at={one.at} />]}
                />
              </Section>
            )}
          </>
        )}
      </Answer>
    </Inspector>
  )
}
/** Lists that were frozen: what they say, what refunds did since, who was taken off, their prizes. */
export const FrozenLists = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lists)
  useResult(actions.grantPrize, ({ count }: { count: number }) => {
    toast(say(['已发放 {n} 人', 'Given to {n} people'], { n: count }), 'success')
    return true
  })
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['冻结的榜单', 'Frozen lists'])}
        columns={columns}
        actions={Object.values(actions)}
        filters={<Choice of={list} by="status" label={say(['状态', 'State'])} words={rankStates} />}
      />
      <Chosen
        of={list}
        none={say(['选择一个榜单，看名次与奖励', 'Choose a list to see its places and prizes'])}
      >
        {row => <Detail key={row.id} row={row} />}
      </Chosen>
    </ListDetail>
  )
}
