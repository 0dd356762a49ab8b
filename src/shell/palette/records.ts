import { useEffect, useMemo, useState } from 'react'
import * as audit from '#commands/audit.ts'
import { to } from '#commands/command.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { views } from '#src/contract/views.ts'
import { viewAddress } from '#src/domain/view.ts'
import { titleIn, lang } from '#src/kit/text.ts'
import { queues, type AuditItem } from '#src/modules/audit/contract.ts'
import { useDesk } from '../desk.ts'
import { pageAt } from '../registry.ts'

export type Found = { id: string; title: string; more: string; address: string; /** A saved view of a list, and not a record. */ view?: true }
const PAUSE_MS = 180
const MOST = 5
const pageOf = { bulks: audit.bulks, card: audit.card, voucher: audit.voucher, product: audit.product } as const

/** Records that match, from the calls this person may make. Rights and data scope are the server's: what one may not read is never found. */
export const useRecords = (words: string): Found[] => {
  const desk = useDesk()
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const text = words.trim()
    const timer = setTimeout(() => setAsked(text.length >= 2 && text.length <= 32 ? text : ''), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [words])
  const input = (queue: keyof typeof queues) => (asked !== '' && desk.me.can(queues[queue].lst.permit) ? { keyword: asked, page: 1, pageSize: MOST } : skipToken)
  const bulks = useRead(queues.bulks.lst, input('bulks'))
  const card = useRead(queues.card.lst, input('card'))
  const voucher = useRead(queues.voucher.lst, input('voucher'))
  const product = useRead(queues.product.lst, input('product'))
  const saved = useRead(views.lst, {}).data
  const named = useMemo((): Found[] => {
    const typed = words.normalize('NFKC').trim().toLowerCase()
    return typed === '' ? [] : (saved ?? []).filter(one => one.name.toLowerCase().includes(typed) || one.pinyin.split('|').some(reading => reading.includes(typed.replaceAll(/['\s]/g, '')))).slice(0, MOST)
      .map(one => { const page = pageAt(one.page); return { id: `view ${one.id}`, title: one.name, more: page ? titleIn(page, lang()) : one.page, address: viewAddress(one), view: true } })
  }, [saved, words])
  const found = useMemo(() => {
    if (asked === '' || asked !== words.trim()) return []
    return [bulks, card, voucher, product].flatMap(({ currentData }) => currentData?.list ?? []).slice(0, MOST).map((row: AuditItem): Found => ({
      id: `record ${row.queue} ${row.id}`, title: row.title, more: `${row.merchant_name} · ${row.store_name}`,
      address: row.queue === 'product' ? to(audit.productDetail, { id: row.id }) : to(pageOf[row.queue], { keyword: row.title }),
    }))
  }, [asked, words, bulks, card, voucher, product])
  return useMemo(() => [...named, ...found], [named, found])
}
