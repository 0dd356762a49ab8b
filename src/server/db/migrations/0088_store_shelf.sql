CREATE TABLE "store_shelf" (
	"store_id" integer PRIMARY KEY NOT NULL,
	"sells" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
DROP INDEX "product_ending";--> statement-breakpoint
DROP INDEX "product_sold_out";--> statement-breakpoint
ALTER TABLE "store_shelf" ADD CONSTRAINT "store_shelf_store_id_store_id_fk" FOREIGN KEY ("store_id") REFERENCES "public"."store"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "store_shelf_empty" ON "store_shelf" USING btree ("store_id") WHERE not sells;--> statement-breakpoint
CREATE INDEX "order_code_promised" ON "order_code" USING btree ("product_id","valid_until") WHERE state in ('locked', 'unused', 'part_used');--> statement-breakpoint
CREATE INDEX "product_in_groups" ON "product" USING btree ("sort","id") WHERE kind = 'bulks' and group_need is not null;--> statement-breakpoint
CREATE INDEX "product_low" ON "product" USING btree ("id") WHERE kind = 'elist' and state = 'on_sale' and stock - held <= 5;--> statement-breakpoint
CREATE INDEX "product_sku_low" ON "product_sku" USING btree ("product_id") WHERE status = 'on' and stock - held <= 5;--> statement-breakpoint
CREATE INDEX "product_ending" ON "product" USING btree ("sort","id","sale_end_at") WHERE kind = 'bulks' and state = 'on_sale';--> statement-breakpoint
CREATE INDEX "product_sold_out" ON "product" USING btree ("sort","id") WHERE kind = 'bulks' and state = 'on_sale' and stock <= held;--> statement-breakpoint
-- Finds out anew whether anything is on sale at some stores. Their rows are held first, so that of two
-- changes at once the later sees what the earlier did.
create function store_shelf_settled(ids int[]) returns void language plpgsql as $$
begin
  perform 1 from store_shelf where store_id = any(ids) order by store_id for update;
  update store_shelf x set sells = n.sells
    from (select i.id, exists (select 1 from product_store ps join product p on p.id = ps.product_id where ps.store_id = i.id and ps.status = 'on' and p.state = 'on_sale') sells from (select distinct unnest(ids) id) i) n
    where x.store_id = n.id and x.sells <> n.sells;
end $$;
--> statement-breakpoint
create function store_shelf_begun() returns trigger language plpgsql as $$
begin
  insert into store_shelf (store_id) select id from fresh;
  return null;
end $$;
--> statement-breakpoint
-- A product went on or off sale: of the stores that take it.
create function store_shelf_sold() returns trigger language plpgsql as $$
declare ids int[];
begin
  select array_agg(distinct ps.store_id) into ids
    from was join fresh using (id) join product_store ps on ps.product_id = was.id and ps.status = 'on'
    where (was.state = 'on_sale') <> (fresh.state = 'on_sale');
  if ids is not null then perform store_shelf_settled(ids); end if;
  return null;
end $$;
--> statement-breakpoint
-- Stores take or leave products. The products are held, so that none goes on or off sale meanwhile.
create function store_shelf_linked() returns trigger language plpgsql as $$
declare ids int[]; linked int[];
begin
  if tg_op = 'DELETE' then
    select array_agg(distinct store_id), array_agg(distinct product_id) into ids, linked from was;
  elsif tg_op = 'INSERT' then
    select array_agg(distinct store_id), array_agg(distinct product_id) into ids, linked from fresh where status = 'on';
  else
    select array_agg(distinct a.store_id), array_agg(distinct a.product_id) into ids, linked
      from was join fresh using (id) cross join lateral (values (was.store_id, was.product_id), (fresh.store_id, fresh.product_id)) a (store_id, product_id)
      where (was.status, was.store_id, was.product_id) is distinct from (fresh.status, fresh.store_id, fresh.product_id);
  end if;
  if ids is not null then
    perform 1 from product where id = any(linked) order by id for share;
    perform store_shelf_settled(ids);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger store_shelf_begun after insert on store referencing new table as fresh for each statement execute function store_shelf_begun();
--> statement-breakpoint
create trigger store_shelf_sold after update on product referencing old table as was new table as fresh for each statement execute function store_shelf_sold();
--> statement-breakpoint
create trigger store_shelf_linked after insert on product_store referencing new table as fresh for each statement execute function store_shelf_linked();
--> statement-breakpoint
create trigger store_shelf_relinked after update on product_store referencing old table as was new table as fresh for each statement execute function store_shelf_linked();
--> statement-breakpoint
create trigger store_shelf_unlinked after delete on product_store referencing old table as was for each statement execute function store_shelf_linked();
--> statement-breakpoint
insert into store_shelf (store_id, sells) select s.id, exists (select 1 from product_store ps join product p on p.id = ps.product_id where ps.store_id = s.id and ps.status = 'on' and p.state = 'on_sale') from store s;
--> statement-breakpoint
alter table store enable always trigger store_shelf_begun;
--> statement-breakpoint
alter table product enable always trigger store_shelf_sold;
--> statement-breakpoint
alter table product_store enable always trigger store_shelf_linked;
--> statement-breakpoint
alter table product_store enable always trigger store_shelf_relinked;
--> statement-breakpoint
alter table product_store enable always trigger store_shelf_unlinked;
