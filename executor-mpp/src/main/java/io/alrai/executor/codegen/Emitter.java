package io.alrai.executor.codegen;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;

/** Instructions of one generated method, a little above the class file's. */
final class Emitter {
  private final CodeBuilder code;

  Emitter(CodeBuilder code) {
    this.code = code;
  }

  CodeBuilder code() {
    return code;
  }

  static ClassDesc describe(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }

  int newLong() {
    return code.allocateLocal(TypeKind.LONG);
  }

  int newInt() {
    return code.allocateLocal(TypeKind.INT);
  }

  int newDouble() {
    return code.allocateLocal(TypeKind.DOUBLE);
  }

  int newReference() {
    return code.allocateLocal(TypeKind.REFERENCE);
  }

  Label label() {
    return code.newLabel();
  }

  void bind(Label label) {
    code.labelBinding(label);
  }

  /** Loads longs one after the other. */
  void longs(int... locals) {
    for (int local : locals) {
      code.lload(local);
    }
  }

  /** Stores the long on the stack into a new local. */
  int keepLong() {
    int local = newLong();
    code.lstore(local);
    return local;
  }

  int keepInt() {
    int local = newInt();
    code.istore(local);
    return local;
  }

  int keepReference() {
    int local = newReference();
    code.astore(local);
    return local;
  }

  int keepDouble() {
    int local = newDouble();
    code.dstore(local);
    return local;
  }

  /** A long of a value that the generator knows. */
  int constant(long value) {
    code.loadConstant(value);
    return keepLong();
  }

  /** An int local that is 0. */
  int zero() {
    code.iconst_0();
    return keepInt();
  }

  /** Calls the one method of that name, static or not; its arguments are on the stack. */
  void call(Class<?> owner, String name) {
    Method method =
        Arrays.stream(owner.getDeclaredMethods())
            .filter(
                known -> known.getName().equals(name) && Modifier.isPublic(known.getModifiers()))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException(owner + " has no " + name));
    MethodTypeDesc type =
        MethodTypeDesc.of(
            describe(method.getReturnType()),
            Arrays.stream(method.getParameterTypes()).map(Emitter::describe).toList());
    if (Modifier.isStatic(method.getModifiers())) {
      code.invokestatic(describe(owner), name, type);
    } else {
      code.invokevirtual(describe(owner), name, type);
    }
  }

  /** Leaves {@code base + offset} on the stack. */
  void address(int base, long offset) {
    code.lload(base);
    if (offset != 0) {
      code.loadConstant(offset);
      code.ladd();
    }
  }

  /** Combines two NULL locals: 1 where one of them is; -1 where neither can be. */
  int eitherMissing(int one, int other) {
    if (one < 0 || other < 0 || one == other) {
      return Math.max(one, other);
    }
    code.iload(one);
    code.iload(other);
    code.ior();
    return keepInt();
  }
}
