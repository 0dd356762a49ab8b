import { z } from 'zod'
import { workQueueNames } from '#src/areas/workbench/queues.ts'
import { read } from './call.ts'

/** What I have done today in a queue, in the order of its `workQueues`: for the end of it. */
export const doneToday = {
  of: read('workbench/done', ['我今天处理的', 'What I did today'], {
    input: z.object({ queue: z.enum(workQueueNames) }),
    output: z.object({ counts: z.array(z.int()) }),
    touches: ['refund', 'risk_hit', 'alarm'],
    scope: 'own',
    permit: 'signed-in',
  }),
}
