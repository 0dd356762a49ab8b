import { Star, Trash } from '@blueprintjs/icons'
import { commentRewardActions as actions } from '#commands/vip/scoreComment.ts'
import {
  commentStates,
  deleters,
  noRewards,
  rewardPartWords,
  rewardStates,
} from '#src/areas/review/review.ts'
import {
  numberColumn,
  State,
  stateColumn,
  textColumn,
  timeColumn,
  type States,
} from '#src/kit/cells.tsx'
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
import { commentRewards as calls, type RewardRow as Row } from '../contract/scoreComment.ts'

const looks: States<Row['state']> = {
  paid: { text: rewardStates.paid, tone: 'good' },
  none: { text: rewardStates.none },
  revoked: { text: rewardStates.revoked, tone: 'bad' },
}
const Marks = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <>
      {row.featured_at !== null && (
        <Badge tone="info" icon={Star}>
          {say(['精选', 'Featured'])}
        </Badge>
      )}
      {row.deleted_by && (
        <Badge tone="warn" icon={Trash}>
          {say(deleters[row.deleted_by])}
        </Badge>
      )}
    </>
  )
}
const columns: readonly Column<Row>[] = [
  timeColumn('at', ['时间', 'Time'], 116),
  { ...textColumn('nickname', ['会员', 'Member'], 110), grow: true },
  { ...textColumn('store_name', ['门店', 'Store'], 140), grow: true },
  { ...textColumn('title', ['商品', 'Item'], 150), priority: 3 },
  {
    key: 'rating',
    title: ['评分', 'Rating'],
    width: 60,
    align: 'end',
    priority: 2,
    cell: row => row.rating ?? '—',
  },
  numberColumn('text_n', ['有效字数', 'Characters'], 84),
  numberColumn('images_n', ['图片', 'Pictures'], 72),
  {
    key: 'points',
    title: ['积分', 'Points'],
    width: 68,
    align: 'end',
    cell: row => row.points + row.bonus,
  },
  stateColumn('state', ['状态', 'State'], 88, looks),
  {
    key: 'marks',
    title: ['标记', 'Marks'],
    width: 110,
    cell: row => <Marks row={row} />,
    words: (row, say) => (row.deleted_by ? say(deleters[row.deleted_by]) : ''),
  },
]
const parts = Object.keys(rewardPartWords) as (keyof typeof rewardPartWords)[]
const Detail = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Inspector title={row.nickname} aside={<State of={row.state} in={looks} />}>
      <Section title={say(['评价内容', 'Review'])}>
        <p>
          {row.text || (
            <span className="m-muted">{say(['仅评分，没有文字。', 'Rating only, no text.'])}</span>
          )}
        </p>
        <Facts>
          <Fact label={say(['评分', 'Rating'])}>{row.rating ?? '—'}</Fact>
          <Fact label={say(['审核', 'Moderation'])}>{say(commentStates[row.comment_state])}</Fact>
          <Fact label={say(['图片 / 视频', 'Pictures / video'])}>
            {row.images_n} / {row.has_video ? say(['有', 'yes']) : say(['无', 'no'])}
          </Fact>
          <Fact label={say(['有效字数', 'Characters'])}>{row.text_n}</Fact>
          <Fact wide label={say(['门店', 'Store'])}>
            {row.store_name}
          </Fact>
          <Fact wide label={say(['商品', 'Item'])}>
            {row.title}
          </Fact>
          <Fact wide label={say(['订单号', 'Order'])}>
            {row.order_no}
          </Fact>
        </Facts>
      </Section>
      <Section title={say(['奖励', 'Reward'])}>
        <Facts>
          {parts.map(part => (
            <Fact key={part} label={say(rewardPartWords[part])}>
              {row.parts[part]}
            </Fact>
          ))}
          <Fact label={say(['发放积分', 'Paid'])}>{row.points}</Fact>
          <Fact label={say(['精选加奖', 'Bonus'])}>{row.bonus}</Fact>
          {row.why && (
            <Fact wide label={say(['未发放原因', 'Reason not paid'])}>
              {say(noRewards[row.why])}
            </Fact>
          )}
          {row.featured_at !== null && (
            <Fact label={say(['精选时间', 'Featured'])}>
              <When at={row.featured_at} />
            </Fact>
          )}
          {row.deleted_at !== null && (
            <Fact label={say(['删除时间', 'Deleted'])}>
              <When at={row.deleted_at} />
            </Fact>
          )}
          {row.revoked_at !== null && (
            <Fact label={say(['收回时间', 'Taken back'])}>
              <When at={row.revoked_at} />
            </Fact>
          )}
          {row.revoke_reason && (
            <Fact wide label={say(['收回原因', 'Reason taken back'])}>
              {row.revoke_reason}
            </Fact>
          )}
          {row.operator && <Fact label={say(['操作人', 'By'])}>{row.operator}</Fact>}
        </Facts>
      </Section>
    </Inspector>
  )
}
const chosen = { 1: ['精选', 'Featured'] } as const
/** The rewards of reviews, the last first, with what each was paid for. */
export const CommentRewards = () => {
  const say = useSay()
  const list = useList(calls.lst)
  useExport(actions.export, calls.export, { list })
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['评价奖励', 'Review rewards'])}
        columns={columns}
        actions={Object.values(actions)}
        filters={
          <>
            <Keyword of={list} placeholder={say(['昵称或会员号', 'Nickname or member no.'])} />
            <Choice of={list} by="state" label={say(['状态', 'State'])} words={rewardStates} />
            <Choice
              of={list}
              by="why"
              label={say(['未发放原因', 'Reason not paid'])}
              words={noRewards}
            />
            <Choice of={list} by="featured" label={say(['精选', 'Featured'])} words={chosen} />
            <Choice of={list} by="deleted_by" label={say(['删除', 'Deleted'])} words={deleters} />
            <Period of={list} from="from" to="to" most={366} usual={['全部时间', 'All time']} />
          </>
        }
      />
      <Chosen of={list} none={say(['选择一条评价', 'Choose a review'])}>
        {row => <Detail row={row} />}
      </Chosen>
    </ListDetail>
  )
}
