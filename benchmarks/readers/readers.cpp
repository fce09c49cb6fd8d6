// `readers PEER FILE ROUNDS`: the best of some readings of a file by C++ libraries, as `seconds vertices faces`.

#define TINYOBJLOADER_IMPLEMENTATION
#include <CGAL/IO/OBJ.h>
#include <CGAL/IO/OFF.h>
#include <CGAL/IO/PLY.h>
#include <CGAL/IO/STL.h>
#include <CGAL/Simple_cartesian.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <tiny_obj_loader.h>
#include <vector>

using Point = CGAL::Simple_cartesian<double>::Point_3;
using Faces = std::vector<std::vector<std::size_t>>;

static bool cgal(const std::string &file, std::size_t &vertices, std::size_t &faces) {
  std::vector<Point> points;
  Faces polygons;
  const std::string end = file.substr(file.rfind('.') + 1);
  const bool good = end == "obj"   ? CGAL::IO::read_OBJ(file, points, polygons)
                    : end == "off" ? CGAL::IO::read_OFF(file, points, polygons)
                    : end == "ply" ? CGAL::IO::read_PLY(file, points, polygons)
                    : end == "stl" ? CGAL::IO::read_STL(file, points, polygons)
                                   : false;
  vertices = points.size();
  faces = polygons.size();
  return good;
}

static bool tinyobj_(const std::string &file, std::size_t &vertices, std::size_t &faces) {
  tinyobj::ObjReader reader;
  tinyobj::ObjReaderConfig config;
  config.triangulate = false;
  if (!reader.ParseFromFile(file, config)) return false;
  vertices = reader.GetAttrib().vertices.size() / 3;
  faces = reader.GetShapes()[0].mesh.num_face_vertices.size();
  return true;
}

int main(int count, char **words) {
  if (count != 4) return 2;
  const auto read = !std::strcmp(words[1], "cgal") ? cgal : tinyobj_;
  double best = 1e9;
  std::size_t vertices = 0, faces = 0;
  for (int round = 0; round < std::atoi(words[3]); round++) {
    const auto start = std::chrono::steady_clock::now();
    if (!read(words[2], vertices, faces)) return 1;
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::printf("%.6f %zu %zu\n", best, vertices, faces);
}
