-- The operation log, the sign-in log and the orders' log are only ever added to: by no role, in no replication mode, may a row be changed or go.
create function append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
--> statement-breakpoint
create trigger op_log_append_only before update or delete or truncate on op_log for each statement execute function append_only();
--> statement-breakpoint
alter table op_log enable always trigger op_log_append_only;
--> statement-breakpoint
create trigger login_log_append_only before update or delete or truncate on login_log for each statement execute function append_only();
--> statement-breakpoint
alter table login_log enable always trigger login_log_append_only;
--> statement-breakpoint
create trigger op_log_seal_append_only before update or delete or truncate on op_log_seal for each statement execute function append_only();
--> statement-breakpoint
alter table op_log_seal enable always trigger op_log_seal_append_only;
--> statement-breakpoint
create trigger order_log_append_only before update or delete or truncate on order_log for each statement execute function append_only();
--> statement-breakpoint
alter table order_log enable always trigger order_log_append_only;
--> statement-breakpoint
create trigger points_ledger_append_only before update or delete or truncate on points_ledger for each statement execute function append_only();
--> statement-breakpoint
alter table points_ledger enable always trigger points_ledger_append_only;
--> statement-breakpoint
-- The names of the fields that differ, so that "who changed this field" is an index scan. A batch's own line and a list have none.
create function op_log_fields() returns trigger language plpgsql as $$
declare
  b jsonb := case when jsonb_typeof(new.before) = 'object' then new.before else '{}'::jsonb end;
  a jsonb := case when jsonb_typeof(new.after) = 'object' then new.after else '{}'::jsonb end;
begin
  new.fields := case when new.object_type = 'batch' then '{}'::text[] else array(
    select key from (select jsonb_object_keys(b) as key union select jsonb_object_keys(a)) k
    where key not in ('id', 'version', 'request_id', 'reason') and b -> key is distinct from a -> key order by key) end;
  new.touched := array(select new.object_type || '.' || field from unnest(new.fields) field);
  return new;
end $$;
--> statement-breakpoint
create trigger op_log_fields before insert on op_log for each row execute function op_log_fields();
--> statement-breakpoint
alter table op_log enable always trigger op_log_fields;
--> statement-breakpoint
-- Frequencies of many more fields than the usual hundred: the plan for a rare one depends on them.
alter table op_log alter column touched set statistics 400;
--> statement-breakpoint
-- Transaction numbers begin anew when a dump is restored into another cluster: a shift, set at start-up (services/seal.ts), keeps them growing.
create function op_log_xid() returns bigint language sql volatile as $$
  select pg_current_xact_id()::text::bigint + coalesce((select (value #>> '{}')::bigint from setting where key = 'op_log_xid_shift'), 0)
$$;
--> statement-breakpoint
alter table op_log alter column xid set default op_log_xid();
--> statement-breakpoint
-- What a seal covers of a row: every column that tells something, named here, so that one added later leaves old digests as they are.
create function op_log_digest(r op_log) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(r.id, r.created_at, r.admin_id, r.admin_name, r.module, r.action, r.object_type, r.object_id, r.object_label, r.before, r.after, r.reason, r.result, r.error, r.ip, r.trace_id, r.batch_id, r.reverts_id, to_jsonb(r.fields), r.xid)::text, 'UTF8'))
$$;
