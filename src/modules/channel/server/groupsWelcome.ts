import { pickMaterials } from '#src/areas/wecomMaterial/materials.server.ts'
import { pieceKinds, type PieceKind } from '#src/areas/wecomMaterial/piece.ts'
import {
  countWorks,
  lastNotices,
  pickApplied,
  pickChats,
  pickReplacements,
  templateList,
  templates,
  writtenOfTemplate,
} from '#src/areas/welcome/groupRows.server.ts'
import { sendNotices, tellTemplates } from '#src/areas/welcome/groupTelling.server.ts'
import {
  applyTemplate,
  copyTemplate,
  createTemplate,
  deleteTemplate,
  editTemplate,
  notifyOwners,
  unapplyTemplate,
} from '#src/areas/welcome/groupWriting.server.ts'
import { implement, type Handler } from '#src/server/call/implement.ts'
import { reverting } from '#src/server/call/record.ts'
import { way } from '#src/server/call/reverts.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { groupsWelcome as contract } from '../contract/groupsWelcome.ts'

const kinds = Object.keys(pieceKinds) as PieceKind[]
const handlers = {
  lst: async ({ page, pageSize, ...filters }, context) => ({
    ...(await templateList.page({ page, pageSize, ...filters }, context)),
    stat: await countWorks(context.db, context.staff, filters),
  }),
  notices: async ({ id }, { db, staff }) => {
    await templates.read(db, staff, id)
    return { list: await lastNotices(db, id, staff.lang) }
  },
  chats: pickChats,
  applied: pickApplied,
  others: pickReplacements,
  materials: (asked, context) => pickMaterials({ ...asked, kinds }, context),
  create: (input, context) => createTemplate(context, input),
  edit: (input, context) => editTemplate(context, input),
  copy: (one, context) => copyTemplate(context, one),
  apply: (asked, context) => applyTemplate(context, asked),
  unapply: (asked, context) => unapplyTemplate(context, asked),
  notifyOwner: (one, context) => notifyOwners(context, one),
  del: (asked, context) => deleteTemplate(context, asked),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

reverting(templates, [way(contract.edit, handlers.edit, [...writtenOfTemplate])])
export const groupsWelcomeServer = implement(contract, handlers)

/** WeCom is asked outside the calls: within seconds after something was written or asked. */
defineTimer(
  'welcome.groups',
  '* * * * *',
  async ({ database, install, now }) => {
    const around = { database, client: install.wecom, picture: install.picture, now }
    const told = await tellTemplates(around)
    const reminded = await sendNotices(around)
    return [
      ...(told > 0 ? ['wecom_group_welcome'] : []),
      ...(reminded > 0 ? ['wecom_group_notice'] : []),
    ]
  },
  ['wecom_group_welcome', 'wecom_group_notice'],
)
