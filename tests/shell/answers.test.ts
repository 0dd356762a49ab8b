import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { articles } from '#commands/articles.ts'
import { actions, all, pages } from '#commands/index.ts'
import { glossary } from '#src/areas/workbench/glossary.ts'
import { answering, mayRead } from '#src/shell/palette/answers.ts'
import { askedHow } from '#src/shell/palette/help.ts'
import { readingsOf } from '#src/shell/palette/readings.ts'

const texts = [...articles, ...glossary]
  .flatMap(({ title, asks = [] }) => [title[0], title[1], ...asks])
  .filter(text => /\p{Script=Han}/u.test(text))
const answer = answering(Object.fromEntries(texts.map(text => [text, readingsOf(text)])))
const everything = () => true
/** As the palette asks: a question without its asking words, anything else as it is typed. */
const found = (typed: string, can: (permit: string) => boolean = everything) =>
  answer(askedHow(typed) ?? typed, can, 3).map(({ id }) => id)

/** Questions as people ask them, not in the words of the articles. */
const questions: Readonly<Record<string, readonly string[]>> = {
  audit: ['怎么审核', '怎么审核一个团购商品', 'how do I audit a deal'],
  claim: ['怎么领取审核任务', '任务怎么退回队列', 'how do I release a task'],
  reject: ['驳回的时候怎么写原因', 'how to reject with several reasons'],
  zen: ['怎么只看一条', '图片太小怎么放大'],
  refundSome: [
    '四张券怎么只退两张',
    '怎么部分退款',
    'how do I refund two codes of four',
    '一单里只退一部分券码',
  ],
  refundAll: ['怎么给顾客退款', '如何整单退款', 'how to refund an order'],
  afterSale: ['买家要退货退款怎么处理', '怎么拒收退货'],
  shipFile: ['怎么批量导入快递单号', '如何用 Excel 发货', 'how do I ship from a file'],
  shipOne: ['怎么发货', '一个订单拆成两个包裹怎么发', 'how to change a tracking number'],
  redeem: ['怎么帮门店核销', '门店扫不了码怎么办'],
  unredeem: ['核销错了怎么撤回', 'how do I reverse a redemption'],
  extend: ['券过期了怎么延期', 'how to extend validity'],
  freeze: ['怎么冻结订单', '订单如何解冻'],
  risk: ['风控命中怎么放行', '怎么处理误报'],
  phone: ['怎么看完整的手机号', '手机号为什么打星号', 'how do I see the phone number'],
  export: ['怎么导出订单', '导出的文件在哪里', 'where is my exported file'],
  undo: ['按错了怎么撤销', '怎么反悔刚才的操作', 'how do I undo'],
  bulk: ['怎么一次处理很多行', '怎么全选', 'how to select all rows'],
  find: ['怎么查订单', '怎么按手机号找订单'],
  split: ['怎么分屏', '怎么同时看两个页面', 'how do I split panes'],
  link: ['怎么让右边跟着左边的行变', '窗格怎么联动', 'how do I link panes'],
  layout: ['怎么保存窗格布局', 'how to share my layout'],
  view: ['怎么保存常用筛选', '如何自定义列', 'how do I save a view'],
  keys: ['怎么改快捷键', '快捷键有哪些', 'how do I rebind keys'],
  rules: ['怎么修改到店订单规则'],
  who: ['怎么知道是谁改的', 'how do I see who changed this'],
  look: ['怎么换成深色', '字太淡看不清怎么办', 'how do I get high contrast'],
  home: ['怎么固定常用页面'],
  'term.frozen': ['冻结是什么意思', '冻结订单'],
  'term.pending_use': ['待核销是什么意思', '待使用'],
  'term.part_refunded': ['部分退款是什么'],
  'term.paid': ['实付是什么意思', 'shifu'],
  'term.settle': ['结算价是什么', 'jsj'],
  'term.commission': ['佣金是什么意思', 'yongjin', 'what does commission mean'],
  'term.redeem': ['核销是什么意思', 'hexiao'],
  'term.deadline': ['时限是什么'],
  'term.second_audit': ['复审是什么意思'],
  'term.cash_out': ['什么是套现'],
  'term.used_refunded': ['已用/已退/总数'],
}
describe('questions', () => {
  const asked = Object.entries(questions).flatMap(([id, all]) =>
    all.map(question => [question, id] as const),
  )
  test('are many, and ask for every article', () => {
    expect(asked.length).toBeGreaterThan(60)
    expect(articles.filter(({ id }) => !questions[id]).map(({ id }) => id)).toEqual([])
  })
  test.each(asked)('%s', (question, id) => expect(found(question)).toContain(id))
  test.each(articles.map(one => [one.title[0], one] as const))(
    '%s is found by its own names in both languages, the first of all',
    (_, { id, title }) => {
      expect([found(title[0])[0], found(title[1])[0]]).toEqual([id, id])
    },
  )
  test('about nothing the help knows have no answer', () => {
    expect(
      ['天气', 'qwertyuiop', '', '？', '怎么', '午饭吃鱼香肉丝', 'x'.repeat(500)].map(typed =>
        found(typed),
      ),
    ).toEqual([[], [], [], [], [], [], []])
  })
})

describe('every article', () => {
  const ids = new Set(actions.map(({ id }) => id))
  test('has a name of its own, and so has every term', () => {
    for (const of of [articles, glossary])
      for (const at of [0, 1] as const) {
        const names = of.map(({ title }) => title[at])
        expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
      }
    expect([
      new Set(articles.map(({ id }) => id)).size,
      new Set(glossary.map(({ id }) => id)).size,
    ]).toEqual([articles.length, glossary.length])
  })
  test('stands at a page that there is', () => {
    const paths = new Set(pages.map(({ path }) => path))
    expect(glossary.filter(({ at }) => !paths.has(at)).map(({ id, at }) => [id, at])).toEqual([])
  })
  test.each(articles.map(one => [one.id, one] as const))(
    '%s leads to actions and pages that there are, and names only keys of actions',
    (_, { does, steps, title }) => {
      expect(does.length).toBeGreaterThan(0)
      for (const one of does)
        expect(one.kind === 'page' ? pages.includes(one) : actions.includes(one)).toBe(true)
      for (const text of [title, ...steps])
        expect([
          /\p{Script=Han}/u.test(text[0]),
          /^[^\p{Script=Han}]*$/u.test(text[1].replace('中文', '')),
        ]).toEqual([true, true])
      const named = (language: 0 | 1) =>
        steps
          .flatMap(step =>
            [...step[language].matchAll(/\[\[([\w.]+)\]\]/g)].map(match => match[1]!),
          )
          .toSorted()
      expect(named(0).filter(id => !ids.has(id))).toEqual([])
      // What is named in one language is named in the other.
      expect(named(1)).toEqual(named(0))
    },
  )
  test('is shown to those who may do something of it, and a term to those who see its page', () => {
    const may = mayRead(permit => permit === 'audit.bulks.view' || permit === 'signed-in')
    expect(articles.filter(may.article).map(({ id }) => id)).toEqual(
      expect.arrayContaining(['audit', 'undo', 'split']),
    )
    expect(articles.filter(may.article).map(({ id }) => id)).not.toContain('refundSome')
    expect(
      glossary.filter(may.term).every(({ at }) => at === '/manage/audit/bulks' || at === '/manage'),
    ).toBe(true)
    expect(found('四张券怎么只退两张', permit => permit === 'signed-in')).not.toContain(
      'refundSome',
    )
  })
})
describe('every term', () => {
  const sources = ['src/modules', 'src/areas', 'src/domain', 'commands']
    .flatMap(folder =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter(name => /\.tsx?$/.test(name) && !/glossary|articles|terms/.test(name))
        .map(name => readFileSync(join(folder, name), 'utf8')),
    )
    .join('\n')
  test.each(glossary.map(term => [term.title[0], term] as const))(
    '%s is a word that the console shows, explained in both languages, on a page there is',
    (word, { at, means, title }) => {
      expect(sources).toMatch(new RegExp(`['\`"（]${word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}`))
      expect(pages.map(({ path }) => path)).toContain(at)
      expect([
        means[0].length > 8,
        /^[^\p{Script=Han}]+$/u.test(means[1]),
        /^[^\p{Script=Han}]+$/u.test(title[1]),
      ]).toEqual([true, true, true])
    },
  )
})
test('nothing of the help weighs on the entry: it is no part of the commands', () =>
  expect(all.some(command => command.title === articles[0]!.title[0])).toBe(false))
