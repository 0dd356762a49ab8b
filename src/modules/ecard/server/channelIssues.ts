/** Cards that staff issue to a channel, handed over in a file that only its password opens. */
import { and, desc, eq, sql } from 'drizzle-orm'
import { ecard_issue } from '#src/areas/ecard/channel.table.ts'
import { ISSUE_MOST } from '#src/areas/ecard/channel.ts'
import {
  cardsOfIssue,
  issueToChannel,
  receiverOf,
  type Issue,
} from '#src/areas/ecard/channelIssue.server.ts'
import { ecard, ecard_attr } from '#src/areas/ecard/ecard.table.ts'
import { readReceivers } from '#src/areas/ecard/receivers.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { aesZip, drawPassword } from '#src/areas/secret/aesZip.server.ts'
import { groupedCode } from '#src/areas/secret/secretCode.ts'
import { sealerOf } from '#src/areas/secret/secrets.server.ts'
import { csvField } from '#src/domain/csv.ts'
import type { Handler, WriteContext } from '#src/server/call/implement.ts'
import { faultless, holding } from '#src/server/call/record.ts'
import { missing } from '#src/server/call/refuse.ts'
import type { ecardChannels } from '../contract/channel.ts'
import { channels, faceName, heldFor } from './channelRecord.ts'

type Calls = typeof ecardChannels
/** The cards of an issue as an encrypted file and its password. */
const handOver = async ({ tx, install }: WriteContext, issue: Issue) => {
  const cards = await cardsOfIssue(tx, await sealerOf(install.codeKeys, tx), issue)
  const people = receiverOf(issue)
  const lines = cards.map(({ card_no, secret }, at) =>
    [people[at]?.name ?? '', people[at]?.phone ?? '', card_no, groupedCode(secret)]
      .map(csvField)
      .join(','),
  )
  const secret_password = drawPassword()
  const name = `cards-${issue.id}`
  const file = await aesZip(
    `${name}.csv`,
    `\ufeffname,phone,card_no,secret\r\n${lines.join('\r\n')}\r\n`,
    secret_password,
  )
  return {
    rows: cards.length,
    left: 0,
    name: `${name}.zip`,
    cost_cents: issue.cost_cents,
    secret_file: file.toString('base64'),
    secret_password,
  }
}

export const issueHandlers = {
  issues: async ({ id, page, pageSize, keyword }, { db, staff }) => {
    await channels.read(db, staff, id)
    const rows = await db
      .select({
        row: ecard_issue,
        card: ecard.name,
        face_cents: ecard_attr.face_cents,
        by: sql<string>`coalesce(${admin.name}, '')`,
        back_n: sql<number>`(select count(*)::int from ecard_code c where c.order_id = ${ecard_issue.order_id} and c.state = 'refunded')`,
      })
      .from(ecard_issue)
      .innerJoin(ecard_attr, eq(ecard_attr.id, ecard_issue.attr_id))
      .innerJoin(ecard, eq(ecard.id, ecard_attr.card_id))
      .leftJoin(admin, eq(admin.id, ecard_issue.made_by))
      .where(
        and(
          eq(ecard_issue.channel_id, id),
          holding(keyword, [ecard.name, ecard_issue.out_no], ecard_issue.id),
        ),
      )
      .orderBy(desc(ecard_issue.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return {
      list: rows.map(({ row, card, face_cents, ...more }) => ({
        ...row,
        ...more,
        name: faceName(card, face_cents),
      })),
    }
  },
  handOver: async ({ issue_id, reason, ...one }, context) => {
    const was = await channels.heldFast(context, one)
    const [issue] = await context.tx
      .select()
      .from(ecard_issue)
      .where(and(eq(ecard_issue.channel_id, was.id), eq(ecard_issue.id, issue_id)))
    if (!issue) throw missing()
    const after = await channels.set(context, was, {})
    channels.log(context, was, { after: { handed_over: issue.id, issued: issue.n }, reason })
    return { id: was.id, version: after.version, ...(await handOver(context, issue)) }
  },
  readReceivers: async ({ id, receiver_file }, { tx, staff }) => {
    await channels.read(tx, staff, id)
    return readReceivers(receiver_file, staff.lang)
  },
  issueBatch: async ({ attr_id, n, receivers, ...one }, context) => {
    const was = await heldFor(context, 'issue', one)
    const people = receivers.reduce((sum, each) => sum + each.n, 0)
    const count = people || (n ?? 0)
    faultless(context.staff, {
      n:
        count < 1 || count > ISSUE_MOST
          ? [`一次发 1 至 ${ISSUE_MOST} 张`, `From 1 to ${ISSUE_MOST} cards at once`]
          : undefined,
    })
    const { issue } = await issueToChannel(
      context.tx,
      await sealerOf(context.install.codeKeys, context.tx),
      {
        channel_id: was.id,
        attr_id,
        n: count,
        receivers,
        made_by: context.staff.id,
        now: context.now,
      },
    )
    const after = await channels.set(context, was, {})
    channels.log(context, was, {
      before: { balance_cents: was.balance_cents },
      after: { balance_cents: after.balance_cents, issued: issue.n },
    })
    return { id: was.id, version: after.version, ...(await handOver(context, issue)) }
  },
} satisfies { [K in 'issues' | 'handOver' | 'readReceivers' | 'issueBatch']: Handler<Calls[K]> }
