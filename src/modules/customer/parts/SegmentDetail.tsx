import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { groupsPage } from '#commands/pages/customer.ts'
import { segmentKinds } from '#src/areas/segment/segment.ts'
import { comma } from '#src/domain/text.ts'
import { State, Words } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Inspector } from '#src/kit/inspector.tsx'
import { Delta, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { groups as calls, type SegmentRow } from '../contract/groups.ts'
import { AdviserResults } from './AdviserResults.tsx'
import { PeopleTable, segmentLooks, UsesTable } from './segmentLooks.tsx'

const Beside = ({ row }: { row: SegmentRow }) => {
  const say = useSay()
  const read = useRead(calls.side, { id: row.id })
  return (
    <Answer of={read}>
      {({ people, mine_n, uses }) => (
        <>
          <Section
            title={say(['名单（最新 20 人）', 'People (latest 20)'])}
            aside={
              mine_n < row.customer_count ? (
                <span className="m-muted">
                  {say(['你可见 {n} 人', 'You see {n}'], { n: mine_n.toLocaleString('en-US') })}
                </span>
              ) : undefined
            }
          >
            <PeopleTable of={people} />
          </Section>
          <Section title={say(['使用记录', 'Usage history'])}>
            <UsesTable of={uses} />
          </Section>
          <AdviserResults of={uses} />
        </>
      )}
    </Answer>
  )
}
/** The segments that others stand for, each a way to it. */
const Excluded = ({ row }: { row: SegmentRow }) => {
  const say = useSay()
  return row.exclude_ids.map((id, at) => (
    <span key={id}>
      {at > 0 && say(comma)}
      <Link href={to(groupsPage, { id })}>{row.names[`segment:${id}`] ?? `#${id}`}</Link>
    </span>
  ))
}
/** One segment: whom it means, how many they are, what it was used for. */
export const SegmentDetail = ({ row }: { row: SegmentRow }) => {
  const say = useSay()
  const { progress } = row
  return (
    <Inspector title={row.name} aside={<State of={row.status} in={segmentLooks} />}>
      <Section title={say(['规则', 'Rule'])}>
        <p>
          {row.said ||
            say(['名单由文件导入，不随规则变化', 'Imported from a file; no rule applies'])}
        </p>
        {row.gone.length > 0 && (
          <p className="m-bad" role="alert">
            {say(['引用的「{what}」已删除或停用', '“{what}” was deleted or disabled'], {
              what: row.gone.join(say(comma)),
            })}
          </p>
        )}
        <Facts>
          <Fact label={say(['类型', 'Kind'])}>
            <Words of={segmentKinds[row.kind]} />
          </Fact>
          <Fact label={say(['人数', 'People'])}>
            <span className="m-num">{row.customer_count.toLocaleString('en-US')}</span>
          </Fact>
          <Fact label={say(['较上次', 'Change'])}>
            {row.delta === null ? '—' : <Delta of={row.delta} />}
          </Fact>
          <Fact label={say(['刷新时间', 'Updated'])}>
            <When at={row.refreshed_at} />
          </Fact>
          <Fact label={say(['负责人', 'Owner'])}>{row.owner_name}</Fact>
          <Fact label={say(['使用次数', 'Used'])}>{row.used_n}</Fact>
          {progress && (
            <Fact wide label={say(['计算进度', 'Progress'])}>
              {say(['已检查到 {done} / {until}，命中 {n} 人', '{done} of {until}, {n} so far'], {
                ...progress,
              })}
            </Fact>
          )}
          {row.exclude_ids.length > 0 && (
            <Fact wide label={say(['排除分群', 'Excluded segments'])}>
              <Excluded row={row} />
            </Fact>
          )}
          {row.archive_reason && (
            <Fact wide label={say(['归档原因', 'Archive reason'])}>
              {row.archive_reason}
            </Fact>
          )}
        </Facts>
      </Section>
      {row.status !== 'archived' && <Beside row={row} />}
    </Inspector>
  )
}
