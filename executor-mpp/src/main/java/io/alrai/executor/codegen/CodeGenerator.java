package io.alrai.executor.codegen;

import io.alrai.executor.vector.Lane;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessFlag;
import java.util.List;

/** Makes hidden classes from pipeline specifications. Stateless; any thread. */
final class CodeGenerator {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final ClassDesc SELF =
      ClassDesc.of(CodeGenerator.class.getPackageName(), "GeneratedPipeline");
  private static final MethodTypeDesc RUN =
      MethodTypeDesc.of(
          ConstantDescs.CD_int,
          Emitter.describe(Lane.class),
          ConstantDescs.CD_long.arrayType(),
          ConstantDescs.CD_int.arrayType(),
          ConstantDescs.CD_int,
          ConstantDescs.CD_int);
  private static final MethodTypeDesc JUDGE =
      MethodTypeDesc.of(
          ConstantDescs.CD_int,
          ConstantDescs.CD_int,
          ConstantDescs.CD_long,
          ConstantDescs.CD_long,
          ConstantDescs.CD_int);

  private CodeGenerator() {}

  /**
   * A class and what it refers to.
   *
   * @param constants must live as long as the code does
   */
  record Generated(PipelineCode code, CodeConstants constants) {}

  /** Generates a pipeline for columns of these forms. */
  static Generated generate(PipelineSpec spec, List<ColumnForm> forms, boolean selected) {
    CodeConstants constants = new CodeConstants();
    byte[] bytes =
        ClassFile.of()
            .build(
                SELF,
                type ->
                    type.withFlags(AccessFlag.FINAL, AccessFlag.SYNTHETIC)
                        .withInterfaceSymbols(Emitter.describe(PipelineCode.class))
                        .withMethodBody(
                            ConstantDescs.INIT_NAME,
                            ConstantDescs.MTD_void,
                            ClassFile.ACC_PUBLIC,
                            code ->
                                code.aload(0)
                                    .invokespecial(
                                        ConstantDescs.CD_Object,
                                        ConstantDescs.INIT_NAME,
                                        ConstantDescs.MTD_void)
                                    .return_())
                        .withMethodBody(
                            "run",
                            RUN,
                            ClassFile.ACC_PUBLIC,
                            code ->
                                new PipelineEmitter(spec, forms, selected, constants, code).emit())
                        .withMethodBody(
                            "judge",
                            JUDGE,
                            ClassFile.ACC_PUBLIC,
                            code -> PipelineEmitter.emitJudge(constants, code)));
    try {
      MethodHandles.Lookup hidden = LOOKUP.defineHiddenClass(bytes, true);
      Object made = hidden.lookupClass().getDeclaredConstructor().newInstance();
      return new Generated((PipelineCode) made, constants);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a generated class does not load", e);
    }
  }
}
