import { Disable, WarningSign } from '@blueprintjs/icons'
import { signActions as actions } from '#commands/vip/scoreClocked.ts'
import { oddities, signKinds } from '#src/areas/signIn/signIn.ts'
import { dateOf } from '#src/domain/time.ts'
import { textColumn, timeColumn, wordColumn } from '#src/kit/cells.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Period } from '#src/kit/period.tsx'
import { Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { signRecords as calls, type SignRow as Row } from '../contract/scoreClocked.ts'

const Marks = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <>
      {row.is_void && <Badge icon={Disable}>{say(['已作废', 'Void'])}</Badge>}
      {row.odd.map(one => (
        <Badge key={one} tone="warn" icon={WarningSign}>
          {say(oddities[one])}
        </Badge>
      ))}
    </>
  )
}
const Distance = ({ row }: { row: Row }) => {
  const say = useSay()
  return row.distance_m === null ? (
    <span className="m-muted">—</span>
  ) : (
    say(['{n} 米', '{n} m'], { n: row.distance_m })
  )
}
const columns: readonly Column<Row>[] = [
  timeColumn('at', ['时间', 'Time'], 116),
  {
    key: 'member',
    title: ['会员', 'Member'],
    width: 120,
    grow: true,
    cell: row => row.nickname,
    words: row => `${row.nickname} ${row.uid}`,
  },
  wordColumn('kind', ['类型', 'Kind'], 88, signKinds),
  {
    key: 'points',
    title: ['积分', 'Points'],
    width: 72,
    align: 'end',
    cell: row => row.points + row.month_bonus,
  },
  {
    key: 'streak',
    title: ['连签', 'Streak'],
    width: 64,
    align: 'end',
    cell: row => (row.kind === 'spot' ? <span className="m-muted">—</span> : row.streak),
  },
  { ...textColumn('mall_name', ['商场', 'Mall'], 120), priority: 2 },
  {
    key: 'distance',
    title: ['距离', 'Distance'],
    width: 76,
    align: 'end',
    priority: 2,
    cell: row => <Distance row={row} />,
  },
  {
    key: 'marks',
    title: ['标记', 'Marks'],
    width: 180,
    cell: row => <Marks row={row} />,
    words: (row, say) => row.odd.map(one => say(oddities[one])).join(' '),
  },
]
const Detail = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Inspector title={row.nickname} aside={<Marks row={row} />}>
      <Section title={say(['本条记录', 'This record'])}>
        <Facts>
          <Fact label={say(['类型', 'Kind'])}>{say(signKinds[row.kind])}</Fact>
          <Fact label={say(['日期', 'Day'])}>{dateOf(row.day)}</Fact>
          <Fact label={say(['积分', 'Points'])}>{row.points}</Fact>
          <Fact label={say(['满月奖励', 'Month bonus'])}>{row.month_bonus}</Fact>
          {row.kind !== 'spot' && (
            <Fact label={say(['连续天数', 'Streak days'])}>{row.streak}</Fact>
          )}
          <Fact label={say(['提交时间', 'Submitted'])}>
            <When at={row.at} />
          </Fact>
          <Fact wide label={say(['规则', 'Rule'])}>
            {row.rule_name}
          </Fact>
          <Fact label={say(['会员号', 'Member no.'])}>{row.uid}</Fact>
        </Facts>
      </Section>
      {row.kind === 'spot' && (
        <Section title={say(['位置', 'Location'])}>
          <Facts>
            <Fact wide label={say(['商场', 'Mall'])}>
              {row.mall_name}
            </Fact>
            <Fact label={say(['距离', 'Distance'])}>
              <Distance row={row} />
            </Fact>
            <Fact label={say(['允许半径', 'Radius'])}>
              {say(['{n} 米', '{n} m'], { n: row.radius_m ?? 0 })}
            </Fact>
          </Facts>
        </Section>
      )}
      <Section title={say(['设备与处理', 'Device and handling'])}>
        <Facts>
          <Fact wide label={say(['设备', 'Device'])}>
            {row.device || '—'}
          </Fact>
          <Fact label={say(['30 天内同设备会员', 'Members on this device, 30 days'])}>
            {row.device_members}
          </Fact>
          <Fact label={say(['操作人', 'By'])}>
            {row.operator || say(['会员本人', 'The member'])}
          </Fact>
          {row.note && (
            <Fact wide label={say(['补签原因', 'Reason for make-up'])}>
              {row.note}
            </Fact>
          )}
          {row.void_reason && (
            <Fact wide label={say(['作废原因', 'Reason voided'])}>
              {row.void_reason}
            </Fact>
          )}
        </Facts>
      </Section>
    </Inspector>
  )
}
const voids = { 1: ['已作废', 'Void'], 0: ['有效', 'Valid'] } as const
/** Sign-ins and check-ins one by one, with distance and device. */
export const SignRecords = () => {
  const say = useSay()
  const list = useList(calls.lst)
  useExport(actions.export, calls.export, { list })
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['签到打卡记录', 'Sign-in records'])}
        columns={columns}
        actions={Object.values(actions)}
        filters={
          <>
            <Keyword of={list} placeholder={say(['昵称或会员号', 'Nickname or member no.'])} />
            <Choice of={list} by="kind" label={say(['类型', 'Kind'])} words={signKinds} />
            <Choice of={list} by="odd" label={say(['异常', 'Suspicious'])} words={oddities} />
            <Choice of={list} by="is_void" label={say(['状态', 'State'])} words={voids} />
            <Keyword of={list} by="device" placeholder={say(['完整设备号', 'Full device ID'])} />
            <Period of={list} from="from" to="to" most={366} usual={['全部时间', 'All time']} />
          </>
        }
      />
      <Chosen of={list} none={say(['选择一条记录', 'Choose a record'])}>
        {row => <Detail row={row} />}
      </Chosen>
    </ListDetail>
  )
}
