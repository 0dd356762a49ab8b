import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { membersPage } from '#commands/pages/vip.ts'
import { addWays, groupStates } from '#src/areas/wecom/wecom.ts'
import { comma } from '#src/domain/text.ts'
import { Words } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Inspector } from '#src/kit/inspector.tsx'
import { Badge, Fact, Facts, Money, Section } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { ContactFacts, Relations, Timeline } from '#src/kit/wecom.tsx'
import { useWorkbench } from '#src/kit/workbench.ts'
import { customerList as calls, type FileRow, type FileSide } from '../contract/list.ts'
import { Stands } from './fileLooks.tsx'

type Props = { row: FileRow }
const Member = ({ row }: Props) => {
  const say = useSay()
  const { me } = useWorkbench()
  const { member, clash } = row
  const name = member && `${member.nickname} ${member.uid} · V${member.level}`
  return (
    <Section title={say(['会员', 'Member'])}>
      <Facts>
        <Fact wide label={say(['绑定会员', 'Member'])}>
          {member && me.can(membersPage.permit) ? (
            <Link href={to(membersPage, { member_id: member.id })}>{name}</Link>
          ) : (
            (name ?? say(['未绑定', 'None']))
          )}
        </Fact>
        {clash && (
          <Fact wide label={say(['绑定冲突', 'Conflict'])}>
            {say(
              [
                'UnionID 属于会员 {who}，已绑定另一位客户',
                'UnionID points to {who}, linked to another customer',
              ],
              { who: `${clash.nickname} ${clash.uid}` },
            )}
          </Fact>
        )}
        <Fact label={say(['手机号', 'Phone'])}>
          <span className="m-num">{row.phone || '—'}</span>
        </Fact>
        <Fact label={say(['90 天实付', 'Paid, 90 d'])}>
          <Money cents={row.paid_cents} sign />
        </Fact>
      </Facts>
    </Section>
  )
}
const Attrs = ({ of }: { of: FileSide['attrs'] }) => {
  const say = useSay()
  return (
    <Section title={say(['客户属性', 'Attributes'])}>
      {of.length === 0 ? (
        <p className="m-muted">{say(['还没有启用的属性', 'No attributes enabled'])}</p>
      ) : (
        <Facts>
          {of.map(one => (
            <Fact key={one.id} label={one.label}>
              {one.shown || '—'}
              {one.status === 'disabled' && <Badge>{say(['已停用', 'Disabled'])}</Badge>}
            </Fact>
          ))}
        </Facts>
      )}
    </Section>
  )
}
const Chats = ({ of }: { of: FileSide['chats'] }) => {
  const say = useSay()
  const inside = of.filter(one => one.left_at === null && one.status !== 'dismissed')
  const name = (one: FileSide['chats'][number]) =>
    one.name || say(['其他商场的群', 'Another mall’s'])
  return (
    <Fact wide label={say(['所在群', 'Chats'])}>
      {inside.map(name).join(say(comma)) || say(['无', 'None'])}
      {of.length > inside.length && (
        <span className="m-muted">
          {say(['（已退出或{word} {n} 个）', ' (left or dismissed: {n})'], {
            n: of.length - inside.length,
            word: say(groupStates.dismissed),
          })}
        </span>
      )}
    </Fact>
  )
}
const Contact = ({ row, chats }: Props & { chats: FileSide['chats'] }) => {
  const say = useSay()
  return (
    <Section title={say(['企业微信', 'WeCom'])}>
      <Facts>
        <Chats of={chats} />
        <Fact wide label={say(['描述', 'Description'])}>
          {row.description || '—'}
        </Fact>
        <Fact label={say(['添加方式', 'Added via'])}>
          <Words of={addWays[row.add_way]} />
        </Fact>
        <Fact label={say(['来源活码', 'Live code'])}>{row.code?.name ?? '—'}</Fact>
        <ContactFacts of={row} />
      </Facts>
    </Section>
  )
}
/** Shows a customer beside the list: the advisers, what they noted, and what happened when. */
export const FileDetail = ({ row }: Props) => {
  const say = useSay()
  const read = useRead(calls.side, { id: row.id })
  return (
    <Inspector
      title={row.name}
      aside={
        <>
          <Stands row={row} />
          {row.waiting_count > 0 && (
            <Badge tone="info">
              {say(['写入中 {n}', '{n} pending'], { n: row.waiting_count })}
            </Badge>
          )}
        </>
      }
    >
      <Answer of={read} lines={12}>
        {side => (
          <>
            {side.others ? (
              <p className="m-muted">
                {say([
                  '由其他商场的成员跟进，仅可查看',
                  'Followed by advisers of another mall; view only',
                ])}
              </p>
            ) : (
              <Member row={row} />
            )}
            <Relations rows={side.relations} />
            {!side.others && <Attrs of={side.attrs} />}
            {!side.others && <Contact row={row} chats={side.chats} />}
            <Timeline id={row.id} call={calls.timeline} />
          </>
        )}
      </Answer>
    </Inspector>
  )
}
