import { useEffect, useMemo, useState } from 'react'
import { to } from '#commands/command.ts'
import * as audit from '#commands/pages/audit.ts'
import { staff as staffPage } from '#commands/pages/system.ts'
import { orderKinds, statusWords } from '#src/areas/order/order.ts'
import { readingKinds } from '#src/areas/order/orderSearch.ts'
import { viewAddress } from '#src/areas/workbench/view.ts'
import { views } from '#src/contract/views.ts'
import type { Text } from '#src/domain/text.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { lang, titleIn, useSay } from '#src/kit/text.ts'
import { queues, type AuditItem } from '#src/modules/audit/contract.ts'
import { finding } from '#src/modules/order/contract/find.ts'
import { staff as staffCalls } from '#src/modules/system/contract/staff.ts'
import { layouts, type LayoutRow } from '#src/modules/workbench/contract.ts'
import { useDesk } from '../desk.ts'
import { pageAt, pages } from '../registry.ts'
import { plain } from './plain.ts'

/**
 * `read`: what it is, where it is no record of a queue: what a number was taken for, a person, a
 * saved view.
 */
export type Found = {
  id: string
  title: string
  more: string
  address: string
  read?: Text
  /** What is done with it, where it is no address that is opened. */ does?: () => void
}
export type Among = 'all' | 'records' | 'people'
const PAUSE_MS = 180
const MOST = 5
const LONGEST = 200
const pageOf = {
  bulks: audit.bulks,
  card: audit.card,
  voucher: audit.voucher,
  product: audit.product,
} as const

const layoutKinds: Record<LayoutRow['kind'], Text> = {
  mine: ['我的', 'Mine'],
  team: ['团队', 'Team'],
  role: ['角色推荐', 'Recommended'],
}
/**
 * Whether a saved layout is meant: by its name, in pinyin or by initials, with 布局 before it or
 * without; 布局 alone means all.
 */
export const meansLayout = (
  typed: string,
  { name, pinyin }: Pick<LayoutRow, 'name' | 'pinyin'>,
): boolean => {
  const said = plain(typed)
  return (
    said !== '' &&
    [
      ...['', '布局', 'layout'].map(before => before + plain(name)),
      ...pinyin
        .split('|')
        .flatMap(reading => ['', 'buju', 'bj'].map(before => before + plain(reading))),
    ].some(whole => whole.includes(said))
  )
}
/**
 * Records that match, from the calls this person may make. Rights and data scope are the server's:
 * what one may not read is never found.
 */
export const useRecords = (words: string, among: Among): Found[] => {
  const desk = useDesk()
  const say = useSay()
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const text = words.trim()
    const timer = setTimeout(
      () => setAsked(text.length >= 2 && text.length <= LONGEST ? text : ''),
      PAUSE_MS,
    )
    return () => clearTimeout(timer)
  }, [words])
  const short = asked.length <= 32 ? asked : ''
  const input = (queue: keyof typeof queues) =>
    short !== '' && among !== 'people' && desk.me.can(queues[queue].lst.permit)
      ? { keyword: short, page: 1, pageSize: MOST }
      : skipToken
  const bulks = useRead(queues.bulks.lst, input('bulks'))
  const card = useRead(queues.card.lst, input('card'))
  const voucher = useRead(queues.voucher.lst, input('voucher'))
  const product = useRead(queues.product.lst, input('product'))
  const saved = useRead(views.lst, {}).data
  const laid = useRead(layouts.lst, {}).data?.list
  const layoutHits = useMemo(
    (): Found[] =>
      among !== 'all'
        ? []
        : (laid ?? [])
            .filter(row => meansLayout(words, row))
            .slice(0, MOST)
            .map(row => ({
              id: `layout ${row.id}`,
              title: say(['布局：{name}', 'Layout: {name}'], { name: row.name }),
              more: [say(layoutKinds[row.kind]), row.for_name, row.by_name]
                .filter(Boolean)
                .join(' · '),
              address: '',
              read: ['布局', 'Layout'],
              does: () => desk.openLayout?.(row),
            })),
    [laid, words, among, desk, say],
  )
  const named = useMemo((): Found[] => {
    const typed = words.normalize('NFKC').trim().toLowerCase()
    return typed === '' || among !== 'all'
      ? []
      : (saved ?? [])
          .filter(
            one =>
              one.name.toLowerCase().includes(typed) ||
              one.pinyin
                .split('|')
                .some(reading => reading.includes(typed.replaceAll(/['\s]/g, ''))),
          )
          .slice(0, MOST)
          .map(one => {
            const page = pageAt(one.page)
            return {
              id: `view ${one.id}`,
              title: one.name,
              more: page ? titleIn(page, lang()) : one.page,
              address: viewAddress(one),
              read: ['视图', 'View'],
            }
          })
  }, [saved, words, among])
  const orders = useRead(
    finding.find,
    asked !== '' && among !== 'people' ? { q: asked } : skipToken,
  )
  const people = useRead(
    staffCalls.lst,
    short !== '' && among !== 'records' && desk.me.can(staffCalls.lst.permit)
      ? { keyword: short, page: 1, pageSize: MOST }
      : skipToken,
  )
  const found = useMemo(() => {
    if (asked === '' || asked !== words.trim()) return []
    const { read, list = [] } = orders.currentData ?? {}
    const ordered = list.flatMap((row): Found[] => {
      // The page of one order is the one that follows the rows of its kind.
      const page = pages.find(
        one =>
          !one.menu && desk.me.can(one.permit) && one.follows?.({ type: 'order', id: row.id, row }),
      )
      return page
        ? [
            {
              id: `order ${row.id}`,
              title: row.order_no,
              more: `${say(orderKinds[row.kind])} · ${row.title} · ${row.store_name} · ${say(statusWords(row))}`,
              address: to(page, { id: row.id }),
              ...(read && { read: readingKinds[read] }),
            },
          ]
        : []
    })
    const audits = [bulks, card, voucher, product]
      .flatMap(({ currentData }) => currentData?.list ?? [])
      .slice(0, MOST)
      .map((row: AuditItem): Found => ({
        id: `record ${row.queue} ${row.id}`,
        title: row.title,
        more: `${row.merchant_name} · ${row.store_name}`,
        address:
          row.queue === 'product'
            ? to(audit.productDetail, { id: row.id })
            : to(pageOf[row.queue], { keyword: row.title }),
      }))
    const staff = (people.currentData?.list ?? []).map((row): Found => ({
      id: `staff ${row.id}`,
      title: row.name,
      more: [row.account, row.department_name].filter(Boolean).join(' · '),
      address: to(staffPage, { keyword: row.account }),
      read: ['员工', 'Staff'],
    }))
    return [...ordered, ...audits, ...staff]
  }, [asked, words, bulks, card, voucher, product, orders, people, desk, say])
  return useMemo(() => [...layoutHits, ...named, ...found], [layoutHits, named, found])
}
