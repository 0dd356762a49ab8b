import { sql } from 'drizzle-orm'
import { bookEarned, freeSince } from '#src/areas/points/earned.demo.ts'
import { BETWEEN } from '#src/domain/text.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { countedText } from './review.ts'
import { deleteComment, deletedByMember } from './reviews.server.ts'
import { featureReview, revokeReward } from './rewards.server.ts'

const texts = [
  '菜品分量很足，服务员会主动加水，周末人多要提前取号，整体性价比不错，还会再来。',
  '环境安静适合带孩子，亲子区玩具干净，套餐里的甜品特别惊喜，推荐下午场。',
  '团购核销很快，没有额外消费，烤鱼外酥里嫩，配菜也新鲜，停车可以抵扣两小时。',
  '理发师很有耐心，会先问清楚需求再动手，全程没有推销办卡，下次还找同一位老师。',
  '发货速度快，包装结实没有破损，和详情页描述一致，尺码正常，洗过没有掉色。',
  '电影院座椅舒服，小吃套餐比单买划算不少，就是取票机排队久了一点。',
]
const DAYS = 30
/** Reviews of what was used, each by a member whose ledger is free; every eighth waits or is the same. */
const seedReviews = async (db: Db, { now, scale }: World): Promise<void> => {
  const since = now - DAYS * DAY
  const most = Math.max(40, Math.round(1200 * scale))
  const said = sql`(${sql.param(texts)}::text[])[1 + (x.n % ${texts.length})]`
  await db.execute(sql`
    insert into comment (target_kind, target_id, member_id, order_item_id, store_id, text, images, video,
      rating, machine, hit_words, state, decided_at, created_at, updated_at)
    select 'goods', x.product_id, x.member_id, x.id, x.store_id, case x.n % 5 when 4 then '' else ${said}
      end || case when x.n % 17 = 9 then '需要的加微信领返现' else '' end,
      case when x.n % 3 = 0 then '["review/a.jpg", "review/b.jpg"]' else '[]' end::jsonb,
      case when x.n % 19 = 5 then 'review/c.mp4' else '' end, case when x.n % 7 = 3 then 3 else 5 end,
      case when x.n % 17 = 9 then 'review' else 'pass' end,
      case when x.n % 17 = 9 then '["加微信", "返现"]' else '[]' end::jsonb,
      case when x.n % 17 = 9 then 'pending' else 'shown' end,
      case when x.n % 17 <> 9 then x.at end, x.at, x.at
    from (select i.id, i.product_id, i.store_id, o.member_id, row_number() over (order by i.id)::int n,
        ${since + 3 * HOUR}::bigint + (i.id * 7919::bigint) % ${(DAYS - 2) * DAY}::bigint as at
      from (select distinct on (o.member_id) o.member_id, min(i.id) over (partition by o.member_id) item
        from "order" o join order_item i on i.order_id = o.id join member m on m.id = o.member_id
        where m.id % 2 = 0 and i.fulfil = 'code' and i.product_id is not null and o.kind <> 'visitor'
          and o.refund_state = 'none' and exists (select 1 from order_code c where c.item_id = i.id
          and c.times_used > 0 and c.times_refunded = 0 and c.times_refunding = 0) and ${freeSince(since)}
      ) f join order_item i on i.id = f.item join "order" o on o.id = i.order_id
      order by i.id limit ${most}) x order by x.at, x.id`)
}
/** What they earned by the rule; one in nine is the copy of an earlier one. */
const seedRewards = async (db: Db): Promise<void> => {
  const { rows: all } = await db.execute<{ text: string }>(sql`select distinct text from comment`)
  const counted = all.map(({ text }) => [text, [...countedText(text)].length] as const)
  await db.execute(sql`
    insert into comment_reward (comment_id, order_item_id, member_id, store_id, rule_id, state, why, parts,
      points, text_n, text_key, at, created_at, updated_at)
    select c.id, c.order_item_id, c.member_id, c.store_id, r.id,
      case when c.id % 9 = 4 then 'none' else 'paid' end, case when c.id % 9 = 4
        then (array['duplicate', 'nothing', 'refunded'])[1 + c.id % 3] end, p.parts,
      case when c.id % 9 = 4 then 0 else (select sum(v::int) from jsonb_each_text(p.parts) e (k, v)) end,
      t.n, case when t.n > 0 then md5(c.text) || md5('r' || c.text) end, c.created_at, c.created_at, c.created_at
    from comment c join points_rule r on r.kind = 'comment' and r.status = 'on' and r.mids = '[]'::jsonb
      join unnest(${sql.param(counted.map(one => one[0]))}::text[],
        ${sql.param(counted.map(one => one[1]))}::int[]) t (text, n) on t.text = c.text
      cross join lateral (select jsonb_build_object('star', (r.config->>'star')::int, 'text',
        case when t.n >= (r.config->>'text_min')::int then (r.config->>'text')::int else 0 end, 'images',
        case when c.images <> '[]'::jsonb then (r.config->>'images')::int else 0 end, 'video',
        case when c.video <> '' then (r.config->>'video')::int else 0 end) parts) p
    where c.state = 'shown' order by c.created_at, c.id`)
  await bookEarned(
    db,
    sql`select w.member_id, w.at, w.points, w.rule_id, 'comment' biz_kind, 'COMMENT' || w.comment_id
      biz_no, '评价：' || i.title || ${BETWEEN}::text || 'Review: ' || i.title title from comment_reward w
      join order_item i on i.id = w.order_item_id where w.state = 'paid'`,
  )
}
/** Some were featured, some taken back, some deleted for abuse or by whoever wrote them. */
const seedCases = async (db: Db, { now, people }: World): Promise<void> => {
  const by = (people.find(one => one.role === 'service_lead') ?? people[0]!).id
  const { rows } = await db.execute<{ id: number; comment_id: number }>(
    sql`select id, comment_id from comment_reward where state = 'paid' order by at desc limit 8`,
  )
  for (const [at, { id, comment_id }] of rows.entries()) {
    if (at < 3) await featureReview(db, { id, operator_id: by, now })
    else if (at === 3)
      await revokeReward(db, { id, reason: '与商家约定好评返现', operator_id: by, now })
    else if (at < 6)
      await deleteComment(db, {
        id: comment_id,
        by: 'staff',
        reason: '广告导流',
        operator_id: by,
        now,
      })
    else await deleteComment(db, { id: comment_id, by: 'member', reason: deletedByMember, now })
  }
}
export const demo: readonly DemoStep[] = [
  {
    place: 153,
    branch: 'reviews',
    run: async (db, _, world) => {
      await seedReviews(db, world)
      await seedRewards(db)
      await seedCases(db, world)
    },
  },
]
