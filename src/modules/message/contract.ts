import { z } from 'zod'
import { messageKinds, type MessageKind } from '#src/areas/message/message.ts'
import { read, write } from '#src/contract/call.ts'
import { id, listOf, open, page, unix } from '#src/contract/shapes.ts'

const row = z.object({
  id,
  kind: z.enum(Object.keys(messageKinds) as [MessageKind, ...MessageKind[]]),
  /** In the reader's language. */
  title: z.string(),
  /** The page that shows it; empty for the person's own exports and jobs. */
  address: open('A page of the workbench', z.string()),
  read_at: unix.nullable(),
  created_at: unix,
})
export type MessageRow = z.output<typeof row>

// Work of the system's own tells only what it changed, and not that it told somebody of it.
const touches = ['message', 'export', 'job', 'alarm', 'refund'] as const

/** What the signed-in person was told, and what of it they read. */
export const messages = {
  mine: read('message/mine', ['我的消息', 'My messages'], {
    input: z.object({ ...page, unread: z.boolean().optional() }),
    output: listOf(row),
    touches,
    scope: 'own',
    permit: 'signed-in',
  }),
  unread: read('message/unread', ['未读消息数', 'Unread messages'], {
    input: z.object({}),
    output: z.object({ n: z.int() }),
    touches,
    scope: 'own',
    permit: 'signed-in',
  }),
  markRead: write('message/read', ['标为已读', 'Mark as read'], {
    input: z.object({ ids: z.array(id).min(1).max(200) }),
    output: z.object({}),
    touches: ['message'],
    scope: 'own',
    permit: 'signed-in',
    quiet: true,
  }),
  /** All of them up to the newest that the person has seen: what came since stays unread. */
  markAllRead: write('message/readAll', ['全部标为已读', 'Mark all as read'], {
    input: z.object({ until: id }),
    output: z.object({}),
    touches: ['message'],
    scope: 'own',
    permit: 'signed-in',
    quiet: true,
  }),
}
