import { sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/**
 * A brand's name without what two entries of one brand differ by: width, case, spaces, marks, and
 * what shops add to it. An index stands on this.
 */
export const likeness = (name: SQL | AnyPgColumn): SQL =>
  sql`regexp_replace(regexp_replace(lower(normalize(${name}, NFKC)), '[[:space:]·・•._&''’()-]', '', 'g'), '(官方旗舰店|旗舰店|官方店|官方|品牌)$', '')`
