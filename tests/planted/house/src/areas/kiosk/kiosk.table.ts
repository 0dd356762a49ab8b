import { integer, pgTable, varchar } from 'drizzle-orm/pg-core'
import { mall } from '#src/areas/place/place.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base } from '#src/server/db/columns.ts'

/** 自助机: a machine in a mall at which visitors take their numbers. */
export const kiosk = pgTable('kiosk', {
  ...base,
  mall_id: integer()
    .notNull()
    .references(() => mall.id),
  name: varchar({ length: 32 }).notNull(),
  status: varchar({ length: 3, enum: ['on', 'off'] })
    .notNull()
    .default('on'),
})

defineKinds({
  kiosk: at('kiosk', {
    city: '(select m.city_id from mall m where m.id = t.mall_id)',
    mall: 't.mall_id',
  }),
})
