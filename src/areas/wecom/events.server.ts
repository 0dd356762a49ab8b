import type { Core } from '#src/server/call/pipeline.ts'

/** An event as WeCom told it; `fields` has every field by WeCom's name. */
export type WecomEvent = {
  id: number
  /** `change_external_contact` and the like. */
  event: string
  /** `add_external_contact` and the like; empty where an event has none. */
  change: string
  fields: Readonly<Record<string, string>>
  /** When it happened and when it came here, in unix seconds. */
  happened_at: number
  heard_at: number
}
export type WecomEventContext = Core & { now: number }
/**
 * Works one event off. It may hear of the same event again, after a crash or because another
 * handler failed, and must then do no harm; events of one subject come in their order. What it
 * throws is tried again later. It answers the tags of what it changed.
 */
export type WecomEventHandler = (
  event: WecomEvent,
  context: WecomEventContext,
) => Promise<readonly string[] | void>
/** An event with its change, or an event with all its changes. */
export type WecomChange = `${string}.${string}` | (string & {})

const handlers = new Map<string, Set<WecomEventHandler>>()
/**
 * Hears of a change in WeCom: `onWecomEvent('change_external_contact.add_external_contact', …)`, or
 * of every change of an event, `onWecomEvent('change_external_chat', …)`; at the top of a module's
 * server or of an area's server file that is loaded with it.
 */
export const onWecomEvent = (change: WecomChange, handler: WecomEventHandler): void => {
  const those = handlers.get(change) ?? new Set()
  handlers.set(change, those.add(handler))
}
/** The handlers of an event, in the order in which they were told here. */
export const hearersOf = ({
  event,
  change,
}: Pick<WecomEvent, 'event' | 'change'>): readonly WecomEventHandler[] => [
  ...(handlers.get(`${event}.${change}`) ?? []),
  ...(handlers.get(event) ?? []),
]
