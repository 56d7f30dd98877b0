package io.alrai.executor.codegen;

import io.alrai.executor.expression.Texts;
import io.alrai.executor.expression.Whole;
import io.alrai.executor.fragment.ValueType;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;

/** Emits the hash of several values, NULL included; equal keys of one type have equal hashes. */
final class Hashes {
  private final Emitter emitter;
  private final CodeBuilder code;
  private final int local;
  private boolean first = true;

  Hashes(Emitter emitter) {
    this.emitter = emitter;
    this.code = emitter.code();
    this.local = emitter.constant(0);
  }

  /** The local of the hash so far. */
  int local() {
    return local;
  }

  /** Adds a value that was coerced to the key's type. */
  void add(Value value, ValueType type) {
    int hash = emitter.constant(Whole.HASH_OF_NULL);
    Label end = emitter.label();
    if (value.canBeNull()) {
      code.iload(value.missing());
      code.ifne(end);
    }
    switch (value.form()) {
      case TEXT -> {
        emitter.longs(value.first(), value.second());
        code.loadConstant(type.collation().ordinal());
        emitter.call(Texts.class, "hash");
      }
      case DOUBLE -> {
        code.dload(value.first());
        code.dconst_0();
        code.dadd();
        emitter.call(Double.class, "doubleToLongBits");
        emitter.call(Whole.class, "hash");
      }
      case LONG -> {
        code.lload(value.first());
        emitter.call(Whole.class, "hash");
      }
      case WIDE -> {
        emitter.longs(value.first(), value.second());
        code.lxor();
        code.lload(value.first());
        code.loadConstant(Long.SIZE - 1);
        code.lshr();
        code.lxor();
        emitter.call(Whole.class, "hash");
      }
    }
    code.lstore(hash);
    emitter.bind(end);
    addHash(hash);
  }

  /** Adds the hash in a local. */
  void addHash(int hash) {
    if (first) {
      code.lload(hash);
      first = false;
    } else {
      emitter.longs(local, hash);
      emitter.call(Whole.class, "combine");
    }
    code.lstore(local);
  }
}
