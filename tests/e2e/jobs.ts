/**
 * The main jobs of the console, twenty and the undoing of a bulk, each with the file of its
 * journey: finished by keyboard alone, as `job` (desk.ts) sees to.
 */
export const jobs: readonly (readonly [title: string, file: string])[] = [
  [
    'an auditor finds the group-buy queue by tgsh and decides twenty submissions without touching the mouse',
    'main-job',
  ],
  [
    'a newcomer asks how to audit, decides a first submission right, and is told why; nobody touched the mouse',
    'learning',
  ],
  [
    'an order is found by a pasted phone and two of its codes are given back, with a second person’s word, by keyboard alone',
    'codes',
  ],
  [
    'a code redeemed from two panes is redeemed once: the second pane says when, where and by whom',
    'codes',
  ],
  [
    'after-sale staff pay one case back, refuse the next, let goods come back, and answer a buyer, by keyboard alone',
    'eRefund',
  ],
  [
    'the warehouse ships thirty parcels from a sheet with two bad lines; the same sheet again ships nothing twice: by keyboard alone',
    'elist',
  ],
  [
    'a group is dissolved and its refunds go out; an order is found by its buyer’s phone and given back: by keyboard alone',
    'orders',
  ],
  ['create a role and a member of staff and sign in as them, by keyboard alone', 'people'],
  ['open a city and configure it', 'city'],
  ['publish a mall with floors, categories and recommendations', 'mall'],
  ['investigate who changed a banner and revert it', 'banner'],
  ['plan a live session with products, submit it, and cancel it with a reason', 'live'],
  [
    'risk staff freeze and confirm one hit and release the next, go to the rules and the lists, by keyboard alone',
    'risk',
  ],
  [
    'somebody who leads tiles four lists, links two of them by colour and gives the layout to the team; a colleague with fewer rights opens it',
    'layout',
  ],
  [
    'somebody who leads keeps a search of the last seven days as a view of the team; a colleague opens it by its name',
    'views',
  ],
  [
    'orders that are filtered are exported, watched and fetched; the file that turns up later tells whose it is',
    'exports',
  ],
  [
    'more orders than one page holds are extended at once: counted by typing, told which failed and why, and only those tried again',
    'extend',
  ],
  [
    'an auditor rejects a whole queue at once by mistake and takes it back in one step; once more, and takes it back after a reload',
    'bulk',
  ],
  [
    'a supervisor has every card drawn for a second look, judges one otherwise than the auditor did, and finds both in the figures',
    'review',
  ],
  [
    'two change the rules of an order at once: the second settles field by field what both have changed, and nothing is lost',
    'rules',
  ],
  [
    'a colleague’s phone is seen for a reason, their record is changed, and a key at the field tells who changed it and what stood there',
    'reveal',
  ],
]
