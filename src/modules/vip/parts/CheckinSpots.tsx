import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { scoreClockedPage as page } from '#commands/pages/vip.ts'
import { spotActions as actions } from '#commands/vip/scoreClocked.ts'
import { numberColumn, onOff, State, stateColumn, textColumn } from '#src/kit/cells.tsx'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter } from '#src/kit/places.tsx'
import { Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { checkinSpots as calls, type SpotRow as Row } from '../contract/scoreClocked.ts'

const Opening = ({ row }: { row: Row }) => {
  const say = useSay()
  return row.open_from === null || row.open_to === null ? (
    <>{say(['同商场营业', 'Mall hours'])}</>
  ) : (
    <span className="m-num">
      {row.open_from}–{row.open_to}
    </span>
  )
}
const columns: readonly Column<Row>[] = [
  { ...textColumn('mall_name', ['商场', 'Mall'], 150), grow: true },
  textColumn('city_name', ['城市', 'City'], 84),
  stateColumn('status', ['状态', 'State'], 84, onOff),
  {
    key: 'radius_m',
    title: ['半径（米）', 'Radius (m)'],
    width: 92,
    align: 'end',
    cell: row => row.radius_m,
  },
  numberColumn('points', ['每次积分', 'Per visit'], 84),
  { key: 'open', title: ['开放时间', 'Hours'], width: 112, cell: row => <Opening row={row} /> },
  numberColumn('visits', ['近 30 天打卡', 'Visits, 30 d'], 108),
]
const Detail = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Inspector title={row.mall_name} aside={<State of={row.status} in={onOff} />}>
      <Section title={say(['打卡设置', 'Check-in'])}>
        <Facts>
          <Fact label={say(['城市', 'City'])}>{row.city_name}</Fact>
          <Fact label={say(['半径', 'Radius'])}>
            {say(['{n} 米', '{n} m'], { n: row.radius_m })}
          </Fact>
          <Fact label={say(['每次积分', 'Points per visit'])}>{row.points}</Fact>
          <Fact label={say(['开放时间', 'Hours'])}>
            <Opening row={row} />
          </Fact>
          <Fact label={say(['近 30 天打卡', 'Visits, 30 days'])}>
            {say(['{n} 次，{m} 人', '{n} by {m} members'], { n: row.visits, m: row.visitors })}
          </Fact>
          <Fact label={say(['新增时间', 'Added'])}>
            <When at={row.created_at} />
          </Fact>
        </Facts>
        <p>
          <Link href={to(page, { view: 'records', spot_id: row.id })}>
            {say(['查看该商场的打卡记录', 'Check-ins at this mall'])}
          </Link>
        </p>
        <p className="m-muted">
          {say([
            '超出半径或不在开放时间的打卡不发积分；每人每天一次。移除后历史记录保留，可重新新增。',
            'No points outside the radius or hours; once per member per day. Records stay after a spot is removed, and it can be added again.',
          ])}
        </p>
      </Section>
    </Inspector>
  )
}
/** Malls at which a visit earns points. */
export const CheckinSpots = () => {
  const say = useSay()
  const list = useList(calls.lst)
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['打卡商场', 'Check-in spots'])}
        columns={columns}
        actions={Object.values(actions)}
        filters={
          <>
            <Keyword of={list} placeholder={say(['商场名称', 'Mall'])} />
            <CityFilter of={list} />
            <Choice
              of={list}
              by="status"
              label={say(['状态', 'State'])}
              words={{ on: onOff.on.text, off: onOff.off.text }}
            />
          </>
        }
      />
      <Chosen of={list} none={say(['选择一个商场', 'Choose a mall'])}>
        {row => <Detail row={row} />}
      </Chosen>
    </ListDetail>
  )
}
