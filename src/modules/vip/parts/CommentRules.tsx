import { commentRuleActions as actions } from '#commands/vip/scoreComment.ts'
import { noRewards } from '#src/areas/review/review.ts'
import { percent } from '#src/domain/money.ts'
import { numberColumn, onOff, SmallTable, State, stateColumn, textColumn } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Fact, Facts, Section } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { commentRules as calls, type CommentRow as Row } from '../contract/scoreComment.ts'
import { Malls, RuleSpan } from './RuleFacts.tsx'

const columns: readonly Column<Row>[] = [
  { ...textColumn('name', ['规则', 'Rule'], 130), grow: true },
  stateColumn('status', ['状态', 'State'], 84, onOff),
  numberColumn('star', ['评分', 'Rating'], 64),
  numberColumn('text', ['文字', 'Text'], 64),
  numberColumn('images', ['图片', 'Pictures'], 76),
  numberColumn('video', ['视频', 'Video'], 64),
  numberColumn('featured', ['精选', 'Featured'], 76),
  numberColumn('issued', ['近 30 天发放', 'Issued, 30 d'], 108),
]
/** What became of the last 30 days’ reviews: how many were rewarded, and deleted since. */
const Figures = () => {
  const say = useSay()
  const read = useRead(calls.stat, {})
  return (
    <Section title={say(['近 30 天', 'The last 30 days'])}>
      <Answer of={read} lines={5}>
        {of => (
          <>
            <Facts>
              <Fact label={say(['已奖励评价', 'Rewarded'])}>{of.rewarded}</Fact>
              <Fact label={say(['发放积分', 'Points'])}>{of.points}</Fact>
              <Fact label={say(['奖励后被删除', 'Deleted after reward'])}>
                {say(['{n} 条（{share}）', '{n} ({share})'], {
                  n: of.deleted,
                  share:
                    of.rewarded === 0
                      ? '—'
                      : percent(Math.round((of.deleted * 10_000) / of.rewarded)),
                })}
              </Fact>
              <Fact label={say(['其中违规删除', 'Of these, for violations'])}>
                {of.deleted_abuse}
              </Fact>
              <Fact label={say(['收回积分', 'Taken back'])}>{of.revoked}</Fact>
              <Fact label={say(['精选', 'Featured'])}>{of.featured}</Fact>
              <Fact label={say(['待审核（审后发放）', 'Awaiting moderation'])}>{of.waiting}</Fact>
            </Facts>
            <SmallTable
              head={[
                ['未发放原因', 'Reason not paid'],
                ['评价数', 'Reviews'],
              ]}
              rows={of.none}
              keyOf={one => one.why}
              cells={one => [say(noRewards[one.why]), one.reviews]}
            />
          </>
        )}
      </Answer>
    </Section>
  )
}
const Detail = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Inspector title={row.name} aside={<State of={row.status} in={onOff} />}>
      <Figures />
      <Section title={say(['奖励', 'Rewards'])}>
        <Facts>
          <Fact label={say(['仅评分', 'A rating'])}>{row.star}</Fact>
          <Fact label={say(['文字满 {n} 字', '{n} characters'], { n: row.text_min })}>
            {row.text}
          </Fact>
          <Fact label={say(['带图片', 'Pictures'])}>{row.images}</Fact>
          <Fact label={say(['带视频', 'A video'])}>{row.video}</Fact>
          <Fact label={say(['被设为精选', 'Featured'])}>{row.featured}</Fact>
          <Fact label={say(['适用商场', 'Malls'])}>
            <Malls of={row.malls} />
          </Fact>
          <RuleSpan of={row} />
        </Facts>
        <p className="m-muted">
          {say([
            '每个订单商品奖励一次，须已核销且未退款，审核通过后发放；同一会员重复内容只奖一次；违规删除或 7 天内自行删除收回积分。',
            'Once per order item, used and not refunded, after moderation; repeated text by a member is rewarded once. Points are taken back if the review is removed for violations, or deleted by the member within 7 days.',
          ])}
        </p>
      </Section>
    </Inspector>
  )
}
/** The rules of reviews, and what became of the last ones. */
export const CommentRules = () => {
  const say = useSay()
  const list = useList(calls.lst)
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['评价送积分', 'Points for reviews'])}
        columns={columns}
        actions={Object.values(actions)}
      />
      <Chosen of={list} none={say(['选择一条规则', 'Choose a rule'])}>
        {row => <Detail row={row} />}
      </Chosen>
    </ListDetail>
  )
}
